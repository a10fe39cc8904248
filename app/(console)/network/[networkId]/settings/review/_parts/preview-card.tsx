'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Note } from '@/app/_ui/note'
import { EmptyState, Loaded } from '@/app/_ui/states'
import type { Preview } from '@/server/change/preview'
import { Block } from './diff'
import { useWarning, useWhy } from './use-push-words'

type Head = { name: string; address: string }
const DeviceCard = ({ name, address, children }: Head & { children: ReactNode }) => (
  <Card title={name} mark={<span className="muted xs ip">{address}</span>}>
    {children}
  </Card>
)

function Notes({ preview }: { preview: Preview }) {
  const t = useTranslations('change')
  const why = useWhy()
  const word = useWarning()
  return (
    <div className="pad grid gap-2 empty-hide">
      {!preview.read && <Note tone="warn">{t('notRead', { reason: why(preview.reason) })}</Note>}
      {preview.blocked && <Note tone="bad" title={t('blocked')} />}
      {preview.warnings.map(warning => (
        <Note key={JSON.stringify(warning)} tone={warning.blocks ? 'bad' : 'warn'}>
          {word(warning)}
        </Note>
      ))}
      {preview.drift.length > 0 && (
        <Note tone="warn" title={t('drift')}>
          {t('driftText')} {preview.drift.map(block => block.id).join(', ')}
        </Note>
      )}
      {preview.reverts === 'manager' && <Note tone="warn">{t('revertsManager')}</Note>}
    </div>
  )
}

/** What a push would do to one device, read just now. */
export function PreviewCard({ deviceId, ...head }: Head & { deviceId: number }) {
  const t = useTranslations('change')
  const call = useNetworkCall('devices/push/preview', { deviceId }, { keep: false })
  return (
    <DeviceCard {...head}>
      <Loaded call={call} lines={6}>
        {preview => (
          <>
            <Notes preview={preview} />
            {preview.blocks.map(block => (
              <Block key={block.id} block={block} />
            ))}
            {preview.blocks.length === 0 && !preview.blocked && (
              <EmptyState slim title={preview.reason === 'neverRead' ? t('reasons.neverRead') : t('nothing')} />
            )}
          </>
        )}
      </Loaded>
    </DeviceCard>
  )
}

type Pushed = Head & { deploymentId: string; state: string; children?: ReactNode }

/** What one push changed, or tried to change. */
export function PushedCard({ deploymentId, state, children, ...head }: Pushed) {
  const t = useTranslations('change')
  const call = useNetworkCall('devices/config/get', { deploymentId }, { live: ['push'] })
  return (
    <DeviceCard {...head}>
      {children}
      <Loaded call={call} lines={6}>
        {data => (
          <>
            {data.blocks.map(block => (
              <Block key={block.id} block={block} />
            ))}
            {data.blocks.length === 0 && (state === 'applied' || state === 'failed') && (
              <EmptyState slim title={state === 'applied' ? t('nothing') : t('reasons.notTried')} />
            )}
          </>
        )}
      </Loaded>
    </DeviceCard>
  )
}
