'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, useRefresh, withNetwork } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Check } from '@/app/_ui/check'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { limits } from '@/model/limits'
import type { Changes } from '@/server/change/overview'
import { DeviceRow } from './device-row'
import { PreviewCard } from './preview-card'
import { Progress } from './progress'
import { useOwner, useWhy } from './use-push-words'

type Props = { networkId: number; job?: string; mayPush: boolean }

/** Waiting changes, or with `job` the course of a push. */
export function Review({ networkId, job, mayPush }: Props) {
  return job ? <Progress networkId={networkId} jobId={job} /> : <Waiting networkId={networkId} mayPush={mayPush} />
}

function Waiting({ networkId, mayPush }: Omit<Props, 'job'>) {
  const t = useTranslations('change')
  const call = useNetworkCall('changes/list', {}, { live: ['settings', 'push', 'device'] })
  return (
    <Loaded call={call} lines={8}>
      {changes =>
        changes.devices.length === 0 ? (
          <>
            <PageHead title={t('title')} />
            <Card>
              <EmptyState icon="check" title={t('none')}>
                {changes.unknown > 0 && (
                  <span className="muted">{t('unknownDevices', { count: changes.unknown })}</span>
                )}
              </EmptyState>
            </Card>
          </>
        ) : (
          <Chosen key={networkId} {...{ changes, networkId, mayPush }} />
        )
      }
    </Loaded>
  )
}

function Chosen({ changes, networkId, mayPush }: { changes: Changes; networkId: number; mayPush: boolean }) {
  const t = useTranslations('change')
  const router = useRouter()
  const refresh = useRefresh()
  const why = useWhy()
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [shown, setShown] = useState<number>()
  const [busy, setBusy] = useState(false)
  const waiting = changes.devices.filter(device => device.modified)
  const chosen = waiting.filter(device => !left.has(device.deviceId))
  const device = changes.devices.find(one => one.deviceId === shown) ?? changes.devices[0]
  const push = async () => {
    setBusy(true)
    try {
      const input = withNetwork({ deviceIds: chosen.map(one => one.deviceId) })
      const { jobId } = await callApi('devices/push', input)
      await refresh('changes/list')
      router.push(`/network/${networkId}/settings/review?job=${jobId}`)
    } catch {
      // The failure is told by a toast; the page stays as it is.
      setBusy(false)
    }
  }
  const toggle = (id: number, on: boolean) =>
    setLeft(before => new Set(on ? [...before].filter(one => one !== id) : [...before, id]))
  return (
    <>
      <PageHead title={t('title')}>
        {mayPush && (
          <Button kind="primary" icon="upload" busy={busy} disabled={chosen.length === 0} onClick={push}>
            {t('push', { count: chosen.length })}
          </Button>
        )}
      </PageHead>
      <Impact devices={chosen.length} changes={changes.total} />
      <div className="rv">
        <div className="grid gap-4">
          <Card title={t('devices')}>
            {changes.devices.map(row => (
              <DeviceRow
                key={row.deviceId}
                row={{ ...row, step: '' }}
                why={row.state === 'modified' ? undefined : why(row.reason)}
                selected={row === device}
                onSelect={() => setShown(row.deviceId)}
                {...(mayPush &&
                  row.modified && {
                    check: (
                      <Check
                        aria-label={t('select', { name: row.name })}
                        checked={!left.has(row.deviceId)}
                        onChange={on => toggle(row.deviceId, on)}
                      />
                    ),
                  })}
              />
            ))}
          </Card>
          <Saved changes={changes.changes} />
          {changes.unknown > 0 && <Note tone="warn">{t('unknownDevices', { count: changes.unknown })}</Note>}
        </div>
        {device && <PreviewCard key={device.deviceId} {...device} />}
      </div>
    </>
  )
}

function Impact({ devices, changes }: { devices: number; changes: number }) {
  const t = useTranslations('change.impact')
  const cells: [string | number, string][] = [
    [devices, t('devices', { count: devices })],
    [changes, t('changes', { count: changes })],
    [t('seconds', { count: limits.revertWindowSeconds }), t('window')],
  ]
  return (
    <section className="card impact">
      {cells.map(([value, words]) => (
        <div key={words}>
          <span className="v">{value}</span>
          <span className="t">{words}</span>
        </div>
      ))}
      <div className="txt">{t('text')}</div>
    </section>
  )
}

function Saved({ changes }: { changes: Changes['changes'] }) {
  const t = useTranslations('change')
  const owner = useOwner()
  if (changes.length === 0) return null
  return (
    <Card title={t('saved')}>
      {changes.map(({ kind, name, action, by }) => (
        <div className="dv" key={`${kind} ${name}`}>
          <Status state="modified" />
          <span className="trunc">{owner(kind, name)}</span>
          <span className="r muted">{t('savedBy', { action, name: by })}</span>
        </div>
      ))}
    </Card>
  )
}
