'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { withNetwork } from '@/app/_api/use-call'
import { useAdvice, useWarning } from '@/app/_api/use-warning'
import { useWhy } from '@/app/_api/use-why'
import { wordOr } from '@/app/_i18n/word'
import { Said } from '@/app/_shared/left-out'
import { Button } from '@/app/_ui/button'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'
import type { Preview } from '@/server/devices/change/preview'
import type { Interrupted } from '@/server/drivers/assess'
import { Block } from './diff'
import { PushButton } from './push-button'
import { useMayEditKind } from './use-may-edit-kind'
import { usePush } from './use-push'
import { useOwner } from './use-push-words'

type Props = { preview: Preview; networkId: number; mayPush: boolean }

/** All that a person should know before the push, above its difference. */
export function Notes(props: Props) {
  const { preview } = props
  const t = useTranslations('change')
  const why = useWhy()
  const word = useWarning()
  const advice = useAdvice()
  const reason = useReason()
  return (
    <div className="padded grid gap-2">
      {!preview.read && (
        <Note tone="warn">
          <Said why={t('notRead', { reason: why(preview.reason) })} todo={reason(preview.reason).advice} />
        </Note>
      )}
      {preview.blocked && <Note tone="bad" title={t('blocked')} />}
      {preview.warnings.map(warning => (
        <Note key={JSON.stringify(warning)} tone={warning.blocks ? 'bad' : 'warn'}>
          <Said why={word(warning)} todo={advice(warning)} />
        </Note>
      ))}
      {preview.cuts.length > 0 && <OwnWay preview={preview} />}
      {preview.drift.length > 0 && <Drift {...props} />}
      {preview.interrupted.length > 0 && (
        <Note tone="info" title={t('interrupts.title')}>
          <InterruptedLines interrupted={preview.interrupted} />
        </Note>
      )}
      {preview.reverts === 'manager' && <Note tone="warn">{t('revertsManager')}</Note>}
    </div>
  )
}

function OwnWay({ preview: { cuts, reverts } }: { preview: Preview }) {
  const t = useTranslations('change')
  const owner = useOwner()
  return (
    <Note tone="bad" title={t('ownWay.title')}>
      {cuts.map(({ code, values, block, kind, name }) => (
        <div key={block}>
          {wordOr(t, `cuts.${code}`, code, values)} {owner(kind, name)} <code className="ip">{block}</code>
        </div>
      ))}
      {t(reverts === 'device' ? 'ownWay.ask' : 'ownWay.never')}
    </Note>
  )
}

function InterruptedLines({ interrupted }: { interrupted: readonly Interrupted[] }) {
  const t = useTranslations('change.interrupts')
  const line = ({ port = '', ssid, devices, clients }: Interrupted) => {
    if (ssid !== undefined) return clients === undefined ? t('ssidUnknown', { ssid }) : t('ssid', { ssid, clients })
    const [behind] = devices
    return behind ? t('portDevice', { port, ...behind }) : t('port', { port, clients: clients ?? 0 })
  }
  return interrupted.map(one => <div key={`${one.port} ${one.ssid}`}>{line(one)}</div>)
}

/** What somebody changed on the device itself: put it back, or take it over into the settings. */
function Drift({ preview, networkId, mayPush }: Props) {
  const t = useTranslations('change.drift')
  const { push } = usePush(networkId)
  const [asking, setAsking] = useState(false)
  const { deviceId, name, drift, adopts } = preview
  const isHeld = useMayEditKind()
  const only = drift.filter(block => !block.adoptable).map(block => block.id)
  const target = { deviceId, name, drifted: true, cuts: preview.cuts.length > 0 }
  return (
    <Note tone="warn" title={t('title')}>
      <p>{t('text')}</p>
      {only.length > 0 && <p>{t('only', { blocks: only.join(', ') })}</p>}
      <div className="drift">
        {drift.map(block => (
          <Block key={block.id} block={block} bare />
        ))}
      </div>
      {mayPush && (
        <div className="row">
          <PushButton targets={[target]} label={t('putBack')} run={agreed => push([deviceId], agreed)} />
          {only.length < drift.length && adopts.every(isHeld) && (
            <Button onClick={() => setAsking(true)}>{t('adopt')}</Button>
          )}
        </div>
      )}
      {asking && <AdoptDialog {...{ preview, networkId }} onClose={() => setAsking(false)} />}
    </Note>
  )
}

type AdoptProps = { preview: Preview; networkId: number; onClose: () => void }
function AdoptDialog({ preview: { deviceId, name }, networkId, onClose }: AdoptProps) {
  const t = useTranslations('change.drift')
  const { follow } = usePush(networkId)
  const adopt = async () => {
    const { jobId, left } = await callApi('devices/config/adopt', withNetwork({ deviceId }))
    if (left.length > 0) toast('warn', t('adoptedPart', { blocks: left.join(', ') }))
    else toast('ok', t('adopted'))
    if (jobId) await follow(jobId)
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('adoptTitle', { name })}
      consequences={[t('adoptSettings'), t('adoptOthers')]}
      action={t('adopt')}
      onConfirm={adopt}
    />
  )
}
