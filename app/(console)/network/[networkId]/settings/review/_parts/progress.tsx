'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { useTodo, useWhy } from '@/app/_api/use-why'
import { LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { Badge, type StateName } from '@/app/_ui/status'
import type { PushDevice, PushResult } from '@/server/devices/change/push/batch'
import { DeviceRow } from './device-row'
import { PushedCard } from './preview-card'
import { PushRest } from './push-rest'
import { useSavedName } from './use-push-words'

const isSettled = (state: string) => !['queued', 'pushing', 'confirming'].includes(state)

/** How the whole push stands: the worst of its devices once all are settled. */
function overall(push: PushResult): [StateName, string] {
  const states = push.devices.map(device => device.state)
  if (states.some(state => !isSettled(state))) return ['running', 'pushing']
  for (const [state, look] of [
    ['unknown', 'unknown'],
    ['reverted', 'reverted'],
    ['failed', 'failed'],
    ['partial', 'warning'],
  ] as const)
    if (states.includes(state)) return [look, state]
  return ['confirmed', 'applied']
}

/** A push as it runs: every device with its steps, the one looked at with its difference. */
type Props = { networkId: number; jobId: string; mayPush: boolean }

export function Progress({ networkId, jobId, mayPush }: Props) {
  const running = useNetworkCall('devices/push/result', { jobId }, { live: true, refreshMs: 2000 })
  return (
    <Loaded call={running} lines={8}>
      {push => <Course {...{ push, networkId, mayPush }} />}
    </Loaded>
  )
}

function Course({ push, networkId, mayPush }: Omit<Props, 'jobId'> & { push: PushResult }) {
  const t = useTranslations('change')
  const why = useDeviceWhy()
  const [shown, setShown] = useState<number>()
  const active = push.devices.find(device => !isSettled(device.state) && device.state !== 'queued')
  const device = push.devices.find(one => one.deviceId === shown) ?? active ?? push.devices[0]
  const together = push.devices.some(one => one.agreed.includes('together'))
  const [look, state] = overall(push)
  const done = push.devices.filter(one => isSettled(one.state)).length
  return (
    <>
      <PageHead
        title={t('pushed')}
        mark={<Badge state={look}>{t(`states.${state as 'pushing'}`)}</Badge>}
        sub={t('by', { name: push.by })}
      >
        <LinkButton href={`/network/${networkId}/settings/review`}>{t('back')}</LinkButton>
        {mayPush && done === push.devices.length && <PushRest push={push} networkId={networkId} />}
      </PageHead>
      <div className="review-layout">
        <Card title={t('devices')} meta={t('settled', { done, count: push.devices.length })}>
          {together && <p className="review-together soft">{t('together.course')}</p>}
          {push.devices.map((row, at) => (
            <DeviceRow
              key={row.deviceId}
              row={row}
              selected={row === device}
              onSelect={() => setShown(row.deviceId)}
              why={why(row) || (at === 0 && push.devices.length > 1 && !together ? t('firstText') : undefined)}
            />
          ))}
        </Card>
        {device && (
          <PushedCard key={device.deploymentId} {...device}>
            <Proof device={device} />
          </PushedCard>
        )}
      </div>
    </>
  )
}

function useDeviceWhy() {
  const t = useTranslations('change')
  const why = useWhy()
  const todo = useTodo()
  const owner = useSavedName()
  return ({ state, reason, detail, values, culprits }: PushDevice) => {
    const failed = culprits.map(({ kind, name }) => owner(kind, name)).join(', ')
    const cause = why(reason, detail, values)
    const words = failed ? `${t('culprit', { names: failed })} ${cause}` : cause
    const ended =
      state === 'reverted'
        ? t('revertedText', { why: words })
        : state === 'unknown'
          ? t('unknownText', { why: words })
          : words
    return [ended, reason && todo(reason, detail, values)].filter(Boolean).join(' ')
  }
}

/** Counts down to the device's own revert, each second, from what the manager said last. */
function useCountdown(seconds: number | undefined): number | undefined {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds === undefined) return
    const timer = setInterval(() => setLeft(now => (now === undefined ? now : Math.max(0, now - 1))), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}

const round = 2 * Math.PI * 19

function Proof({ device }: { device: PushDevice }) {
  const t = useTranslations('change')
  const left = useCountdown(device.state === 'confirming' ? device.remainingSeconds : undefined)
  if (left === undefined) return null
  const words = t('proving', { seconds: left })
  const part = (left / Math.max(1, device.confirmSeconds)) * round
  return (
    <div className="proof">
      <svg className="countdown" viewBox="0 0 44 44" aria-hidden="true">
        <circle cx="22" cy="22" r="19" fill="none" stroke="var(--info-line)" strokeWidth="3" />
        <circle
          cx="22"
          cy="22"
          r="19"
          fill="none"
          stroke="var(--info)"
          strokeWidth="3"
          strokeDasharray={`${part} ${round}`}
          strokeLinecap="round"
          transform="rotate(-90 22 22)"
        />
        <text x="22" y="26.500" textAnchor="middle" fontSize="13" fontWeight="620" fill="var(--text)">
          {left}
        </text>
      </svg>
      <b>{words}</b>
    </div>
  )
}
