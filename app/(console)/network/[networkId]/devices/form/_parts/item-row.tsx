'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from '@/app/_ui/button'
import { Check } from '@/app/_ui/check'
import { Icon } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { Progress } from '@/app/_ui/meters'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'
import { useReason } from '@/app/(console)/network/[networkId]/devices/_parts/reason'
import type { Item } from './use-adoption'

export type Candidate = {
  address: string
  name: string
  about: string
  /** What the device offers: "SSH, SNMP v2c". */
  offers: string
  hostKey?: string
  managed?: { id: number; name: string }
  item?: Item
}
const steps = ['reach', 'hostKey', 'login', 'identify', 'read', 'saved'] as const

type Props = {
  one: Candidate
  ticked?: boolean
  onTick?: (on: boolean) => void
  /** Tries again with the login chosen now; with a key when the one that was seen is accepted. */
  onRetry?: (hostKey?: string) => void
}

/** One device on its way into the network. */
export function ItemRow({ one, ticked = false, onTick, onRetry }: Props) {
  const t = useTranslations('addDevices.found')
  const { item, managed } = one
  const done = item?.state === 'adopted' || managed !== undefined
  const going = item?.state === 'running' || item?.state === 'waiting'
  return (
    <div className="fd">
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
      <span className="ic">
        <Icon name="devices" />
      </span>
      <div className="grow">
        <div className="med trunc">
          <NameOf one={one} />
        </div>
        <div className="xs muted trunc">{one.about}</div>
      </div>
      <div className="pr">
        <StepOf one={one} />
      </div>
      <div className="r">
        <StateOf item={item} managed={managed !== undefined} />
      </div>
      {item?.state === 'failed' && <Failure item={item} onRetry={onRetry} />}
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
  const t = useTranslations('addDevices.found')
  const reason = useReason()
  if (item?.state === 'running' && item.step)
    return (
      <>
        <span>{t(`step.${item.step}`)}</span>
        <Progress share={(steps.indexOf(item.step) + 1) / steps.length} label={t(`step.${item.step}`)} />
      </>
    )
  if (item?.failure) return <span className="med text-danger">{reason(item.failure.reason).title}</span>
  if (item?.openLogin) return <span className="lw">{t('openLogin')}</span>
  if (item?.state === 'adopted' || managed) return <span>{t('managed')}</span>
  return (
    <span className="muted min-w-0">
      {offers}
      {hostKey && (
        <span className="ip xs block trunc" title={hostKey}>
          {hostKey}
        </span>
      )}
    </span>
  )
}

function StateOf({ item, managed }: { item: Item | undefined; managed: boolean }) {
  const t = useTranslations('addDevices.found')
  if (item?.state === 'adopted' || (managed && !item)) return <Status state="confirmed">{t('adopted')}</Status>
  if (item?.state === 'running') return <Status state="running">{t('adopting')}</Status>
  if (item?.state === 'waiting') return <Status state="queued">{t('queued')}</Status>
  if (item?.state === 'failed') return <Status state="failed">{t('failed')}</Status>
  return <span className="muted">{t('notAdopted')}</span>
}

function Failure({ item, onRetry }: { item: Item; onRetry: Props['onRetry'] }) {
  const t = useTranslations('addDevices.found')
  const reason = useReason()
  const { failure } = item
  if (!failure) return null
  const { advice } = reason(failure.reason)
  const key = failure.reason === 'hostKeyUnknown' || failure.reason === 'hostKeyChanged' ? failure.hostKey : undefined
  return (
    <div className="fix">
      <Note
        tone="bad"
        title={t('failedAt', { step: t(`step.${failure.step}`) })}
        actions={
          onRetry && (
            <Button small onClick={() => onRetry(key)}>
              {key ? t('acceptKey') : t('tryAgain')}
            </Button>
          )
        }
      >
        {advice || failure.detail}
        {advice && failure.detail && <div className="xs muted">{failure.detail}</div>}
        {key && (
          <div className="ip xs trunc" title={key}>
            {key}
          </div>
        )}
      </Note>
    </div>
  )
}
