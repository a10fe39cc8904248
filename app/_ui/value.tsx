'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { bits, bytes, duration, linkSpeed, short, type TimePart } from './format'
import { Icon } from './icon'

/** A value with its unit, smaller and muted; both keep their order in a right-to-left page. */
export function Value({ value, unit }: { value: string; unit?: string }) {
  return (
    <bdi dir="ltr" className="number">
      {value}
      {unit && <span className="unit">{unit}</span>}
    </bdi>
  )
}

/** Bits a second. */
export const Bits = ({ value }: { value: number }) => <Value {...bits(value, useLocale())} />
export const Bytes = ({ value }: { value: number }) => <Value {...bytes(value, useLocale())} />
/** A port's speed, given in bits a second. */
export const Speed = ({ value }: { value: number }) => <Value {...linkSpeed(value, useLocale())} />

export function Count({ value }: { value: number }) {
  const locale = useLocale()
  return <span className="number">{new Intl.NumberFormat(locale).format(value)}</span>
}

export const Percent = ({ value }: { value: number }) => <Value value={short(value, useLocale())} unit="%" />

/** Words for parts of a duration: "41 d 6 h". Under 60 s a dash (rule U3). */
export function useDuration(): (seconds: number) => string {
  const t = useTranslations('common.time')
  return useCallback((seconds: number) => wordParts(duration(seconds), t), [t])
}

type Words = (key: TimePart['unit'], values: { value: number }) => string
const wordParts = (parts: TimePart[], t: Words) =>
  parts.length === 0 ? '–' : parts.map(part => t(part.unit, { value: part.value })).join(' ')

export function Duration({ seconds }: { seconds: number }) {
  return <bdi className="number">{useDuration()(seconds)}</bdi>
}

/** Never read. */
export function Unknown() {
  const t = useTranslations('common.noNumber')
  return (
    <span className="value-unknown" role="img" title={t('unknown')} aria-label={t('unknown')}>
      ?
    </span>
  )
}

/** The device cannot say; `why` names the driver or the MIB. */
export function Unsupported({ why }: { why?: string }) {
  const t = useTranslations('common.noNumber')
  return (
    <span className="value-unsupported" title={why ?? t('unsupported')}>
      {t('na')}
    </span>
  )
}

/** The device is offline; `last` is what it last said, in words. */
export function Absent({ last }: { last?: string }) {
  const t = useTranslations('common.noNumber')
  return (
    <span className="muted" title={last === undefined ? t('offline') : t('offlineLast', { last })}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('offline')}</span>
    </span>
  )
}

/** A value that is older than it should be. */
export function Stale({ children, title }: { children: React.ReactNode; title?: string }) {
  return (
    <span className="value-stale" title={title}>
      <Icon name="clock" />
      {children}
    </span>
  )
}

type MaybeProps<T> = {
  /** undefined: never read; null: the device cannot say. */
  value: T | null | undefined
  /** The device is offline or stale. */
  state?: 'offline' | 'stale'
  children: (value: T) => React.ReactNode
  why?: string
}

/** Draws a reading, or the one of the four kinds of "no number" that is true. */
export function Maybe<T extends number | string>({ value, state, children, why }: MaybeProps<T>) {
  if (state === 'offline') return <Absent last={value === null || value === undefined ? undefined : String(value)} />
  if (value === null) return <Unsupported why={why} />
  if (value === undefined) return <Unknown />
  return state === 'stale' ? <Stale>{children(value)}</Stale> : children(value)
}
