'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { pushLooks } from '@/app/_shared/push-looks'
import { Status } from '@/app/_ui/status'

/** How a device stands, whether it waits or is being pushed to. */
export type Standing = {
  deviceId: number
  name: string
  address: string
  state: string
  step: string
  reason: string
  online?: boolean
}

const steps = ['snapshot', 'timer', 'apply', 'prove', 'confirm'] as const
const atStep = (step: string) => (steps as readonly string[]).indexOf(step)

/** The five segments of a push: done, current, or where it turned back. */
function segment(row: Standing, at: number): string {
  const now = atStep(row.step)
  if (row.state === 'applied' || row.state === 'partial') return 'step-done'
  if (row.state === 'pushing' || row.state === 'confirming')
    return at < now ? 'step-done' : at === now ? 'step-now' : ''
  if (row.state === 'reverted' || row.state === 'unknown')
    return at < now ? 'step-done' : at === now ? 'step-stopped' : ''
  return ''
}

type Props = { row: Standing; why?: ReactNode; selected: boolean; onSelect: () => void; check?: ReactNode }

export function DeviceRow({ row, why, selected, onSelect, check }: Props) {
  const t = useTranslations('change')
  const running = row.state === 'pushing' || row.state === 'confirming'
  const shown = running || (['applied', 'partial', 'reverted', 'unknown'].includes(row.state) && row.step !== '')
  const word = row.reason === 'notTried' ? 'notTried' : (row.state as 'modified')
  return (
    <div className={selected ? 'review-device on' : 'review-device'}>
      {check ?? <Status state={pushLooks[row.state] ?? 'unknown'} />}
      <button type="button" className="medium truncated" aria-pressed={selected} onClick={onSelect}>
        {row.name}
      </button>
      <span className="review-result" role="status">
        <Status state={pushLooks[row.state] ?? 'unknown'}>{t(`states.${word}`)}</Status>
      </span>
      {shown && row.step !== 'plan' && (
        <span className="review-steps" aria-hidden="true">
          {steps.map((step, at) => (
            <i key={step} className={segment(row, at)} />
          ))}
        </span>
      )}
      {running && (
        <span className="step-names">
          {steps.map(step =>
            step === row.step ? <b key={step}>{t(`steps.${step}`)}</b> : <span key={step}>{t(`steps.${step}`)}</span>,
          )}
        </span>
      )}
      {why && <span className="why">{why}</span>}
    </div>
  )
}
