'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useReason } from '@/app/_api/reason'
import { KindMark } from '@/app/_shared/adoption/found'
import { AdoptionFailure, AdoptionState, AdoptionStep, WorkedLogin } from '@/app/_shared/adoption/progress'
import { Check } from '@/app/_ui/check'
import { Link } from '@/app/_ui/link'
import type { Item } from './use-adoption'

export type Candidate = {
  address: string
  name: string
  about: string
  /** What the device offers: "SSH, SNMP v2c". */
  offers: string
  /** What it is, or likely is. */
  kind?: string
  hostKey?: string
  managed?: { id: number; name: string }
  item?: Item
}

type Props = {
  one: Candidate
  ticked?: boolean
  onTick?: (on: boolean) => void
  /** Tries again with the login chosen now; with a key when the one that was seen is accepted. */
  onRetry?: (hostKey?: string) => void
}

/** One device on its way into the network. */
export function ItemRow({ one, ticked = false, onTick, onRetry }: Props) {
  const t = useTranslations('adoption')
  const { item, managed } = one
  const done = item?.state === 'adopted' || managed !== undefined
  const going = item?.state === 'running' || item?.state === 'waiting'
  return (
    <div className="found-device">
      {onTick ? (
        <Check
          aria-label={t('choose', { name: one.name })}
          checked={ticked || done}
          disabled={done || going}
          onChange={onTick}
        />
      ) : (
        <span />
      )}
      <KindMark kind={one.kind} />
      <div className="grow">
        <div className="medium truncated">
          <NameOf one={one} />
        </div>
        <div className="fine-print muted truncated">{one.about}</div>
      </div>
      <div className="progress">
        <StepOf one={one} />
      </div>
      <div className="found-outcome">
        <AdoptionState state={item?.state ?? (managed && 'adopted')} />
      </div>
      {item?.state === 'failed' && item.failure && (
        <AdoptionFailure failure={item.failure} tries={item.tries} onRetry={onRetry} />
      )}
    </div>
  )
}

function NameOf({ one: { name, managed, item } }: { one: Candidate }): ReactNode {
  const { networkId } = useParams<{ networkId: string }>()
  const id = managed?.id ?? item?.deviceId
  const shown = managed?.name ?? item?.name ?? name
  if (id === undefined) return shown
  return <Link href={`/network/${networkId}/devices/detail?id=${id}`}>{shown}</Link>
}

function StepOf({ one: { item, offers, hostKey, managed } }: { one: Candidate }) {
  const t = useTranslations('adoption')
  const { networkId } = useParams<{ networkId: string }>()
  const reason = useReason()
  if (item?.state === 'running' && item.step) return <AdoptionStep step={item.step} login={item.login} />
  if (item?.failure) return <span className="medium text-danger">{reason(item.failure.reason).title}</span>
  if (item?.openLogin) return <span>{t('openLogin')}</span>
  const id = managed?.id ?? item?.deviceId
  // Over SSH there may be more than what Lanward will make: it is shown before anything is imported.
  if (id !== undefined && hostKey)
    return (
      <>
        <Link href={`/network/${networkId}/devices/detail?id=${id}&tab=device`}>{t('found.look')}</Link>
        <WorkedLogin tries={item?.tries} />
      </>
    )
  if (item?.state === 'adopted' || managed)
    return (
      <>
        <span>{t('found.managed')}</span>
        <WorkedLogin tries={item?.tries} />
      </>
    )
  return (
    <span className="muted min-w-0">
      {offers}
      {hostKey && (
        <span className="ip fine-print block truncated" title={hostKey}>
          {hostKey}
        </span>
      )}
    </span>
  )
}
