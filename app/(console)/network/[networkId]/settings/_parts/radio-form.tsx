'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useContext } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { Air } from '@/app/_form/air'
import { type ScopeIds, SingleForm, type SingleFormProps } from '@/app/_form/single-form'
import type { Data } from '@/model/kind'

const refreshMs = 30_000

/** Radios: what the country allows is offered, and what is on the air stands beside what is set. */
export const RadioForm = (props: SingleFormProps) => (
  <SingleForm {...props} Around={RadioAir} below={field => <Now field={field} />} />
)

function RadioAir({ scope, values, children }: { scope: ScopeIds; values: Data; children: ReactNode }) {
  const country = typeof values.country === 'string' && values.country !== '' ? { country: values.country } : {}
  const { data } = useNetworkCall('wifi/radios/get', { scope, ...country }, { refreshMs })
  return <Air value={data}>{children}</Air>
}

/** Values named of one field; more are counted. */
const named = 3

const parts = { channel: 'channels', width: 'widths', power: 'powers' } as const

/** Below a field what the radios use now; nothing where none answers. */
function Now({ field }: { field: string }) {
  const t = useTranslations('wifi.radio.air')
  const air = useContext(Air)
  const [, what, band] = /^(channel|width|power|enabled)(2g|5g|6g)$/.exec(field) ?? []
  const use = air?.now.find(one => one.band === band)
  if (!use || what === undefined) return null
  if (what === 'enabled')
    return use.off > 0 ? <p className="fine-print soft">{t('nowOff', { count: use.off })}</p> : null
  const part = what as keyof typeof parts
  const values = use[parts[part]]
  if (values.length === 0) return null
  const one = use.on === 1
  const said = values.slice(0, named).map(use => t(`${one ? 'one' : 'use'}.${part}`, use))
  const more = values.length - named
  const uses = more > 0 ? t('more', { uses: said.join(', '), count: more }) : said.join(', ')
  return <p className="fine-print soft">{t('now', { uses })}</p>
}
