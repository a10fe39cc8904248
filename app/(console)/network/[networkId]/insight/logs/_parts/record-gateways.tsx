'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { useAdvice, useWarning } from '@/app/_api/use-warning'
import { Said } from '@/app/_shared/left-out'
import { LinkButton } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import type { RecordKind } from './record-columns'

type LeftGateway = Exclude<CallOutput<'records/gateways'>['result'][number], { state: 'records' }>

/** Which gateways record, and of each other one why it does not and what to do. */
export function RecordGateways({ kind }: { kind: RecordKind }) {
  const t = useTranslations('records.gateways')
  const { data } = useNetworkCall('records/gateways', { kind }, { live: true })
  if (!data) return null
  const left = data.result.filter(one => one.state !== 'records')
  const names = data.result.filter(one => one.state === 'records').map(one => one.name)
  if (data.result.length === 0) return <NoGateway />
  if (left.length === 0) return <p className="fine-print log-kept">{t('on', { names: names.join(', ') })}</p>
  return (
    <Note
      tone="warn"
      title={t('title', { left: left.length, count: data.result.length })}
      actions={left.some(one => one.state === 'unpushed') && <Review />}
    >
      {left.map(one => (
        <Left key={one.id} one={one} />
      ))}
      {names.length > 0 && <div>{t('on', { names: names.join(', ') })}</div>}
    </Note>
  )
}

function NoGateway() {
  const t = useTranslations('records.gateways')
  const mayAdd = useMay('devices_edit')
  const { networkId } = useParams<{ networkId: string }>()
  const add = <LinkButton href={`/network/${networkId}/devices/form`}>{t('none.add')}</LinkButton>
  return (
    <Note tone="warn" title={t('none.title')} actions={mayAdd && add}>
      {t('none.text')}
    </Note>
  )
}

/** To where what is saved is looked at and pushed, for whoever may. */
function Review() {
  const t = useTranslations('records.gateways')
  const may = useMay('devices_edit')
  const { networkId } = useParams<{ networkId: string }>()
  return may && <LinkButton href={`/network/${networkId}/settings/review`}>{t('review')}</LinkButton>
}

function Left({ one }: { one: LeftGateway }) {
  const t = useTranslations('records.gateways')
  const warning = useWarning()
  const advice = useAdvice()
  const { networkId } = useParams<{ networkId: string }>()
  const said =
    one.state === 'leftOut'
      ? one.why.map(why => ({ why: warning(why), todo: advice(why) }))
      : [
          {
            why: one.state === 'elsewhere' ? t('why.elsewhere', one.to) : t(`why.${one.state}`),
            todo: t(`todo.${one.state}`),
          },
        ]
  return (
    <div>
      <ScreenLink needs="devices" href={`/network/${networkId}/devices/detail?id=${one.id}`}>
        {one.name}
      </ScreenLink>
      {said.map(({ why, todo }) => (
        <Said key={why} why={why} todo={todo} />
      ))}
    </div>
  )
}
