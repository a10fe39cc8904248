'use client'
import { useTranslations } from 'next-intl'
import { useReason } from '@/app/_api/reason'
import { AdoptionFailure, AdoptionState, AdoptionStep } from '@/app/_shared/adoption/progress'
import { Button } from '@/app/_ui/button'
import { Check } from '@/app/_ui/check'
import { Icon, type IconName } from '@/app/_ui/icon'
import type { Draft, FoundDevice, Item } from './wizard-data'

export type Candidate = {
  address: string
  found?: FoundDevice
  item?: Item
  /** Examined already and in the draft. */
  adopted?: Draft['devices'][number]
}

const icons: Record<string, IconName> = { ap: 'ap', switch: 'switch', gateway: 'gateway', firewall: 'firewall' }

type Props = {
  one: Candidate
  ticked: boolean
  onTick: (on: boolean) => void
  /** Tries again with the login below; `hostKey` when the key that was seen now is accepted. */
  onRetry: (hostKey?: string) => void
  onDrop: () => void
}

export function DeviceRow({ one, ticked, onTick, onRetry, onDrop }: Props) {
  const adoption = useTranslations('adoption')
  const { address, found, item, adopted } = one
  const name = adopted?.name ?? item?.name ?? found?.name ?? address
  const about = [adopted?.model || found?.description, name === address ? undefined : address].filter(Boolean)
  return (
    <div className="found-device">
      <Check
        aria-label={adoption('choose', { name })}
        checked={ticked || adopted !== undefined}
        disabled={adopted !== undefined || item?.state === 'running' || item?.state === 'waiting'}
        onChange={onTick}
      />
      <span className="found-kind">
        <Icon name={icons[adopted?.kind ?? ''] ?? 'devices'} />
      </span>
      <div className="grow">
        <div className="medium truncated">{name}</div>
        <div className="fine-print muted truncated">{about.join(' · ')}</div>
      </div>
      <div className="progress">
        <Progressing one={one} />
      </div>
      <div className="found-outcome">
        <StateOf one={one} onDrop={onDrop} />
      </div>
      {item?.state === 'failed' && item.failure && <AdoptionFailure failure={item.failure} onRetry={onRetry} />}
    </div>
  )
}

function Progressing({ one: { item, adopted, found } }: { one: Candidate }) {
  const t = useTranslations('wizard.devices')
  const adoption = useTranslations('adoption')
  const reason = useReason()
  if (adopted)
    return <span>{adopted.openLogin ? adoption('openLogin') : t(adopted.wifi ? 'carriesWifi' : 'managed')}</span>
  if (item?.state === 'running' && item.step) return <AdoptionStep step={item.step} />
  if (item?.state === 'failed' && item.failure)
    return <span className="medium text-danger">{reason(item.failure.reason).title}</span>
  const offers = [found?.ssh && !found.ssh.reason && 'SSH', found?.snmp && `SNMP ${found.snmp.versions.join(', ')}`]
  return <span className="muted">{offers.filter(Boolean).join(', ') || t(found ? 'closed' : 'byAddress')}</span>
}

function StateOf({ one: { item, adopted }, onDrop }: { one: Candidate; onDrop: () => void }) {
  const t = useTranslations('wizard.devices')
  if (adopted)
    return (
      <span className="row">
        <AdoptionState state="adopted" />
        <Button small kind="ghost" icon="close" aria-label={t('drop', { name: adopted.name })} onClick={onDrop} />
      </span>
    )
  return <AdoptionState state={item?.state} />
}
