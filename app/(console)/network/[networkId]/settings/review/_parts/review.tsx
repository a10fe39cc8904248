'use client'
import { useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { useTodo, useWhy } from '@/app/_api/use-why'
import { Card } from '@/app/_ui/card'
import { Check } from '@/app/_ui/check'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { limits } from '@/model/limits'
import { isOwnAndQuiet } from './at-once'
import { DeviceRow } from './device-row'
import { LeftOut } from './left-out'
import { PreviewCard } from './preview-card'
import { Progress } from './progress'
import { PushButton } from './push-button'
import { type Earlier, Restore } from './restore'
import { Saved } from './saved'
import { Together, useTogether } from './together'
import { usePush } from './use-push'

type Props = {
  networkId: number
  job?: string
  earlier?: Earlier
  mayPush: boolean
  /** The account that saved and wants the push at once. */
  atOnce?: string
}

/** Waiting changes; with `job` the course of a push, with `earlier` the going back to an earlier configuration. */
export function Review({ networkId, job, earlier, mayPush, atOnce }: Props) {
  if (earlier) return <Restore {...{ networkId, mayPush, earlier }} />
  return job ? <Progress {...{ networkId, mayPush }} jobId={job} /> : <Waiting {...{ networkId, mayPush, atOnce }} />
}

function Waiting({ networkId, mayPush, atOnce }: Pick<Props, 'networkId' | 'mayPush' | 'atOnce'>) {
  const t = useTranslations('change')
  const call = useNetworkCall('changes/list', {}, { live: true })
  return (
    <Loaded call={call} lines={8}>
      {changes =>
        changes.devices.length === 0 ? (
          <>
            <PageHead title={t('title')} />
            <Nothing changes={changes} />
            <LeftOut networkId={networkId} />
            <ReadOnly changes={changes} />
          </>
        ) : (
          <Chosen key={networkId} {...{ changes, networkId, mayPush, atOnce }} fresh={!call.isValidating} />
        )
      }
    </Loaded>
  )
}

type Changes = CallOutput<'changes/list'>

/** Nothing waits: up to date is what is known to have every setting that it was given. */
export function Nothing({ changes: { leftOut, unknown, readOnly } }: { changes: Changes }) {
  const t = useTranslations('change')
  const whole = leftOut + unknown + readOnly.length === 0
  return (
    <Card>
      <EmptyState icon={whole ? 'check' : 'clock'} title={t(whole ? 'none' : 'leftOut.nothing')}>
        {unknown > 0 && <span className="muted">{t('unknownDevices', { count: unknown })}</span>}
      </EmptyState>
    </Card>
  )
}

/** Settings given by name to a device that can only be read. */
function ReadOnly({ changes }: { changes: Changes }) {
  const t = useTranslations('change')
  return changes.readOnly.map(one => (
    <Note key={`${one.device} ${one.kind} ${one.name}`} tone="warn">
      {t('readOnly', one)}
    </Note>
  ))
}

type ChosenProps = {
  changes: Changes
  networkId: number
  mayPush: boolean
  atOnce: string | undefined
  /** What is shown has been asked for since the page opened. */
  fresh: boolean
}

/** Where the address names the devices to push to (`?devices=3,7`), the others are left out at first. */
function useLeftOut({ devices }: Changes): ReadonlySet<number> {
  const named = useSearchParams().get('devices')?.split(',').map(Number)
  return new Set(named ? devices.map(one => one.deviceId).filter(id => !named.includes(id)) : [])
}

function Chosen({ changes, networkId, mayPush, atOnce, fresh }: ChosenProps) {
  const t = useTranslations('change')
  const { push } = usePush(networkId)
  const [left, setLeft] = useState<ReadonlySet<number>>(useLeftOut(changes))
  const [shown, setShown] = useState<number>()
  const chosen = changes.devices.filter(device => device.modified && !left.has(device.deviceId))
  const device = changes.devices.find(one => one.deviceId === shown) ?? changes.devices[0]
  const together = useTogether(mayPush ? chosen.length : 0)
  const targets = chosen.map(one => ({ ...one, cuts: one.impact.cuts }))
  // Judged once: what becomes quiet later was not asked for.
  const [begins, setBegins] = useState<boolean>()
  if (atOnce !== undefined && mayPush && fresh && begins === undefined) setBegins(isOwnAndQuiet(changes, atOnce))
  return (
    <>
      <PageHead title={t('title')}>
        {mayPush && changes.devices.some(one => one.modified) && (
          <PushButton
            targets={targets}
            atOnce={begins === true}
            disabled={together.tooMany}
            label={t('push', { count: chosen.length })}
            run={agreed =>
              push(
                chosen.map(one => one.deviceId),
                { ...agreed, ...(together.on && { together: true }) },
              )
            }
          />
        )}
      </PageHead>
      {begins === false && <Note tone="info" title={t('notAtOnce')} />}
      {chosen.length > 0 && <Impact devices={chosen} changes={changes.total} together={together.on} />}
      <div className="review-layout">
        <div className="grid gap-4">
          <Devices {...{ changes, mayPush, left, setLeft, device }} onShow={setShown}>
            <Together count={chosen.length} together={together} />
          </Devices>
          <Saved changes={changes.changes} mayEdit={mayPush} />
          <LeftOut networkId={networkId} />
          {changes.unknown > 0 && <Note tone="warn">{t('unknownDevices', { count: changes.unknown })}</Note>}
          <ReadOnly changes={changes} />
        </div>
        {device && <PreviewCard key={device.deviceId} {...device} {...{ networkId, mayPush }} />}
      </div>
    </>
  )
}

type Row = Changes['devices'][number]
type DevicesProps = {
  changes: Changes
  mayPush: boolean
  left: ReadonlySet<number>
  setLeft: (left: ReadonlySet<number>) => void
  device: Row | undefined
  onShow: (id: number) => void
  children: ReactNode
}

/** The devices that wait, each with whether it goes along. */
function Devices({ changes, mayPush, left, setLeft, device, onShow, children }: DevicesProps) {
  const t = useTranslations('change')
  const why = useWhy()
  const todo = useTodo()
  const toggle = (id: number, on: boolean) => setLeft(new Set(on ? [...left].filter(one => one !== id) : [...left, id]))
  const check = (row: Row) =>
    mayPush &&
    row.modified && {
      check: (
        <Check
          aria-label={t('select', { name: row.name })}
          checked={!left.has(row.deviceId)}
          onChange={on => toggle(row.deviceId, on)}
        />
      ),
    }
  const words = (row: Row) => [
    ...(row.drifted && row.state !== 'drifted' ? [`${t('states.drifted')}.`] : []),
    ...(['modified', 'drifted', 'held'].includes(row.state)
      ? []
      : [why(row.reason, row.detail, row.values), row.reason && todo(row.reason, row.detail, row.values)]),
  ]
  return (
    <Card title={t('devices')}>
      {changes.devices.map(row => (
        <DeviceRow
          key={row.deviceId}
          row={{ ...row, step: '' }}
          why={words(row).filter(Boolean).join(' ') || undefined}
          selected={row === device}
          onSelect={() => onShow(row.deviceId)}
          {...check(row)}
        />
      ))}
      {children}
    </Card>
  )
}

type ImpactProps = { devices: readonly Row[]; changes: number; together: boolean }

function Impact({ devices, changes, together }: ImpactProps) {
  const t = useTranslations('change.impact')
  const ssids = new Set(devices.flatMap(one => one.impact.ssids)).size
  const clients = devices.reduce((sum, one) => sum + one.impact.clients, 0)
  const cells: [string | number, string][] = [
    [devices.length, t('devices', { count: devices.length })],
    ssids > 0 ? [ssids, t('ssids', { count: ssids })] : [changes, t('changes', { count: changes })],
    [clients, t('clients', { count: clients })],
    [t('seconds', { count: limits.revertWindowSeconds }), t('window')],
  ]
  return (
    <section className={clients > 0 ? 'card impact cuts' : 'card impact'}>
      {cells.map(([value, words]) => (
        <div key={words}>
          <span className="figure">{value}</span>
          <span className="figure-title">{words}</span>
        </div>
      ))}
      <div className="impact-text">{t(together ? 'together' : 'text')}</div>
    </section>
  )
}
