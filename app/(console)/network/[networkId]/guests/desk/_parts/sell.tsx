import { useParams } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { type ApiError, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { BusyMark, Button } from '@/app/_ui/button'
import { TextField } from '@/app/_ui/field'
import { Link } from '@/app/_ui/link'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import type { Preset } from './rows'
import type { Press } from './use-pressed'

type Call = { data: { presets: Preset[] } | undefined; error: ApiError | undefined; mutate: () => unknown }
type Props = { call: Call; press: Press; busy: boolean }

/** One press makes a voucher of a group that is sold here. */
export function Sell({ call, press, busy }: Props) {
  const t = useTranslations('desk')
  const { networkId } = useParams<{ networkId: string }>()
  const [note, setNote] = useState('')
  const sell = ({ id, name }: Preset) => {
    press('sell', { groupId: id, note: note.trim() }, [name, note.trim()].filter(Boolean).join(', '))
    setNote('')
  }
  return (
    <section className="desk-sell" aria-labelledby="desk-sell">
      <header>
        <h2 id="desk-sell">{t('sell')}</h2>
        <Link href={`/network/${networkId}/guests/voucher/form`}>{t('otherTime')}</Link>
      </header>
      <Loaded call={call} lines={4}>
        {({ presets }) =>
          presets.length === 0 ? (
            <Nothing />
          ) : (
            <>
              <TextField
                label={t('note')}
                help={t('noteHelp')}
                optional
                autoComplete="off"
                maxLength={limits.deskNoteCharacters}
                value={note}
                onChange={setNote}
              />
              <div className="desk-presets">
                {presets.map(one => (
                  <button key={one.id} type="button" className="desk-preset" onClick={() => sell(one)}>
                    <b>{one.name}</b>
                    <Gives preset={one} />
                  </button>
                ))}
              </div>
              <p className="muted fine-print" role="status">
                {busy ? (
                  <span className="row">
                    <BusyMark />
                    {t('selling')}
                  </span>
                ) : (
                  t('sellHelp')
                )}
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Gives({ preset: { maxDevices, byteLimitMb } }: { preset: Preset }) {
  const t = useTranslations('desk')
  const megabytes = new Intl.NumberFormat(useLocale()).format(byteLimitMb ?? 0)
  return (
    <span>
      {t('presetDevices', { count: maxDevices })}
      {byteLimitMb !== null && `, ${t('presetData', { megabytes })}`}
    </span>
  )
}

const usual = [
  { name: 'hours', days: 0, hours: 2, maxDevices: 1 },
  { name: 'day', days: 1, hours: 0, maxDevices: 2 },
  { name: 'week', days: 7, hours: 0, maxDevices: 2 },
] as const

/** For a desk that has nothing to sell: what most sell, in one press. */
function Nothing() {
  const t = useTranslations('desk')
  const { busy, run } = useSubmit<'make'>()
  const make = async () => {
    for (const { name, ...terms } of usual)
      await callApi(
        'vouchers/groups/save',
        withNetwork({ ...terms, name: t(`usualNames.${name}`), minutes: 0, validityDays: 30, desk: true }),
      )
    toast('ok', t('usualMade'))
  }
  return (
    <EmptyState title={t('nothing')}>
      <span className="soft">{t('nothingHelp')}</span>
      <Button kind="primary" busy={busy !== undefined} onClick={() => void run('make', make)}>
        {t('usual')}
      </Button>
    </EmptyState>
  )
}
