'use client'
import { useTranslations } from 'next-intl'
import { useReason } from '@/app/_api/reason'
import { KindMark, offersOf, takesLogin, useAboutFound } from '@/app/_shared/adoption/found'
import { AdoptionFailure, AdoptionState, AdoptionStep, WorkedLogin } from '@/app/_shared/adoption/progress'
import { Button } from '@/app/_ui/button'
import { Check } from '@/app/_ui/check'
import type { Draft, FoundDevice, Item } from './wizard-data'

export type Candidate = {
  address: string
  found?: FoundDevice
  item?: Item
  /** Examined already and in the draft. */
  adopted?: Draft['devices'][number]
}

/** A device one could log in to, or that somebody asked for. */
export const isPossible = ({ found, item, adopted }: Candidate): boolean =>
  !found || item !== undefined || adopted !== undefined || takesLogin(found)

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
  const about = useAboutFound()({ ...found, address, name }, adopted?.model || undefined)
  return (
    <div className="found-device">
      <Check
        aria-label={adoption('choose', { name })}
        checked={ticked || adopted !== undefined}
        disabled={adopted !== undefined || item?.state === 'running' || item?.state === 'waiting'}
        onChange={onTick}
      />
      <KindMark kind={adopted?.kind ?? found?.likely} />
      <div className="grow">
        <div className="medium truncated">{name}</div>
        <div className="fine-print muted truncated">{about}</div>
      </div>
      <div className="progress">
        <Progressing one={one} />
      </div>
      <div className="found-outcome">
        <StateOf one={one} onDrop={onDrop} />
      </div>
      {item?.state === 'failed' && item.failure && (
        <AdoptionFailure failure={item.failure} tries={item.tries} onRetry={onRetry} />
      )}
    </div>
  )
}

function Progressing({ one: { item, adopted, found } }: { one: Candidate }) {
  const t = useTranslations('wizard.devices')
  const adoption = useTranslations('adoption')
  const reason = useReason()
  if (adopted)
    return (
      <>
        <span>{adopted.openLogin ? adoption('openLogin') : t(adopted.wifi ? 'carriesWifi' : 'managed')}</span>
        <WorkedLogin tries={item?.tries} />
      </>
    )
  if (item?.state === 'running' && item.step) return <AdoptionStep step={item.step} login={item.login} />
  if (item?.state === 'failed' && item.failure)
    return <span className="medium text-danger">{reason(item.failure.reason).title}</span>
  const offers = found && offersOf(found)
  return <span className="muted">{offers || t(found ? 'closed' : 'byAddress')}</span>
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
