'use client'
import { useTranslations } from 'next-intl'
import { Button } from '@/app/_ui/button'
import { Check } from '@/app/_ui/check'
import { Icon, type IconName } from '@/app/_ui/icon'
import { Progress } from '@/app/_ui/meters'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'
import type { Draft, FoundDevice, Item } from '../wizard-data'

export type Candidate = {
  address: string
  found?: FoundDevice
  item?: Item
  /** Examined already and in the draft. */
  adopted?: Draft['devices'][number]
}

const icons: Record<string, IconName> = { ap: 'ap', switch: 'switch', gateway: 'gateway', firewall: 'firewall' }
const steps = ['reach', 'hostKey', 'login', 'identify', 'read', 'saved']

type Props = {
  one: Candidate
  ticked: boolean
  onTick: (on: boolean) => void
  /** Tries again with the login below; `hostKey` when the key that was seen now is accepted. */
  onRetry: (hostKey?: string) => void
  onDrop: () => void
}

export function DeviceRow({ one, ticked, onTick, onRetry, onDrop }: Props) {
  const t = useTranslations('wizard.devices')
  const { address, found, item, adopted } = one
  const name = adopted?.name ?? item?.name ?? found?.name ?? address
  const failed = item?.state === 'failed'
  const about = [adopted?.model || found?.description, name === address ? undefined : address].filter(Boolean)
  return (
    <div className="fd">
      <Check
        aria-label={t('choose', { name })}
        checked={ticked || adopted !== undefined}
        disabled={adopted !== undefined || item?.state === 'running' || item?.state === 'waiting'}
        onChange={onTick}
      />
      <span className="ic">
        <Icon name={icons[adopted?.kind ?? ''] ?? 'devices'} />
      </span>
      <div className="grow">
        <div className="med trunc">{name}</div>
        <div className="xs muted trunc">{about.join(' · ')}</div>
      </div>
      <div className="pr">
        <Progressing one={one} />
      </div>
      <div className="r">
        <StateOf one={one} onDrop={onDrop} />
      </div>
      {failed && <Failure item={item} onRetry={onRetry} />}
    </div>
  )
}

function Progressing({ one: { item, adopted, found } }: { one: Candidate }) {
  const t = useTranslations('wizard.devices')
  const reasons = useTranslations('reasons')
  if (adopted) return <span>{adopted.openLogin ? t('openLogin') : t(adopted.wifi ? 'carriesWifi' : 'managed')}</span>
  if (item?.state === 'running' && item.step)
    return (
      <>
        <span>{t(`step.${item.step}`)}</span>
        <Progress share={(steps.indexOf(item.step) + 1) / steps.length} label={t(`step.${item.step}`)} />
      </>
    )
  if (item?.state === 'failed' && item.failure)
    return <span className="med text-danger">{titleOf(reasons, item.failure.reason)}</span>
  const offers = [found?.ssh && !found.ssh.reason && 'SSH', found?.snmp && `SNMP ${found.snmp.versions.join(', ')}`]
  return <span className="muted">{offers.filter(Boolean).join(', ') || t(found ? 'closed' : 'byAddress')}</span>
}

function StateOf({ one: { item, adopted }, onDrop }: { one: Candidate; onDrop: () => void }) {
  const t = useTranslations('wizard.devices')
  if (adopted)
    return (
      <span className="row">
        <Status state="confirmed">{t('adopted')}</Status>
        <Button small kind="ghost" icon="close" aria-label={t('drop', { name: adopted.name })} onClick={onDrop} />
      </span>
    )
  if (item?.state === 'running') return <Status state="running">{t('adopting')}</Status>
  if (item?.state === 'waiting') return <Status state="queued">{t('queued')}</Status>
  if (item?.state === 'failed') return <Status state="failed">{t('failed')}</Status>
  return <span className="muted">{t('notChosen')}</span>
}

type Reasons = ReturnType<typeof useTranslations<'reasons'>>
const titleOf = (reasons: Reasons, reason: string) =>
  reasons.has(`${reason}.title`) ? reasons(`${reason}.title`) : reason

function Failure({ item, onRetry }: { item: Item; onRetry: Props['onRetry'] }) {
  const t = useTranslations('wizard.devices')
  const reasons = useTranslations('reasons')
  const { failure } = item
  if (!failure) return null
  const { reason, hostKey } = failure
  const key = reason === 'hostKeyUnknown' || reason === 'hostKeyChanged' ? hostKey : undefined
  const advice = reasons.has(`${reason}.advice`) ? reasons(`${reason}.advice`) : failure.detail
  return (
    <div className="fix">
      <Note
        tone="bad"
        title={t('failedAt', { step: t(`step.${failure.step}`) })}
        actions={
          <Button small onClick={() => onRetry(key)}>
            {key ? t('acceptKey') : t('tryAgain')}
          </Button>
        }
      >
        {advice}
        {key && <div className="ip xs">{key}</div>}
      </Note>
    </div>
  )
}
