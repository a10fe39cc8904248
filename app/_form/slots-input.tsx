'use client'
import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_ui/button'
import { useClock } from '@/app/_ui/clock'
import { Below } from '@/app/_ui/field'
import { Menu } from '@/app/_ui/menu'
import { type DaySlots, daySlots, dayText, noSlots, weekdays, weekSlots, weekText } from '@/model/slots'
import { frameOf, type InputProps } from './input-frame'
import { SlotGrid } from './slot-grid'
import { dayNames, dayWords, rangeWords, slotWord, weekWords } from './slot-words'

const wholeDay: DaySlots = noSlots.map(() => true)
/** Hours that are written above the grid. */
const hours = [0, 3, 6, 9, 12, 15, 18, 21]

type FrameProps = InputProps & {
  days: readonly DaySlots[]
  take: (days: DaySlots[]) => void
  /** Names of the rows; none for a single day. */
  names?: readonly string[]
  head?: (row: number) => ReactNode
  /** What is marked, in words, while nothing is pointed at. */
  said?: string
  /** What is done with all of it. */
  below?: ReactNode
}

/** Label, hours, grid, what is under the pointer, and help or error. */
function SlotFrame({ days, take, names, head, said, below, ...props }: FrameProps) {
  const t = useTranslations('form.slots')
  const { hour } = useClock().style
  const { id, label, help, error, changed } = frameOf(props)
  const [point, setPoint] = useState<{ row: number; slot: number }>()
  const hourWord = (one: number) => slotWord(one * 2, hour).replace(':00', '')
  const name = ({ row, slot }: { row: number; slot: number }) =>
    [names?.[row], rangeWords(slot, slot + 1, hour)].filter(Boolean).join(' ')
  const on = point && days[point.row]?.[point.slot]
  const described = help !== undefined || error !== undefined ? { 'aria-describedby': `${id}-below` } : {}
  return (
    <div className={`field slot-field${changed ? ' changed' : ''}${head ? ' heads' : ''}`} id={id} tabIndex={-1}>
      <div className="label">
        <span id={`${id}-label`}>{label}</span>
      </div>
      <div className="hours" aria-hidden>
        {hours.map(one => (
          <span key={one}>
            {hourWord(one)}
            {one < 12 && <i> / {hourWord(one + 12)}</i>}
          </span>
        ))}
      </div>
      <SlotGrid
        rows={days}
        onChange={take}
        name={name}
        onPoint={setPoint}
        {...(head && { head })}
        labels={{
          'aria-labelledby': `${id}-label`,
          ...described,
        }}
      />
      <div className="under">
        <span className="number muted" aria-hidden>
          {point ? t(on ? 'on' : 'off', { time: name(point) }) : (said ?? t('hint'))}
        </span>
        {below}
      </div>
      <Below id={`${id}-below`} help={help} error={error} />
    </div>
  )
}

/** A week to mark, with what a day can be given at once. */
export function WeekSlotsInput(props: InputProps) {
  const t = useTranslations('form.slots')
  const locale = useLocale()
  const { hour } = useClock().style
  const names = dayNames(locale, 'long')
  const text = String(props.value ?? '')
  const days = weekSlots(text)
  const take = (next: readonly DaySlots[]) => props.onChange(weekText(next))
  const put = (slots: DaySlots, rows: (row: number) => boolean) =>
    take(days.map((day, row) => (rows(row) ? slots : day)))
  const copy = (row: number, rows: (row: number) => boolean) => () => put(days[row] ?? noSlots, rows)
  const short = dayNames(locale)
  const head = (row: number) => (
    <Menu
      align="start"
      trigger={
        <button type="button" className="button ghost small" aria-label={t('more', { day: short[row] ?? '' })}>
          {short[row]}
        </button>
      }
      groups={[
        {
          actions: [
            { label: t('wholeDay'), onSelect: () => put(wholeDay, one => one === row) },
            { label: t('clear'), onSelect: () => put(noSlots, one => one === row) },
          ],
        },
        {
          actions: [
            { label: t('copyAll'), onSelect: copy(row, () => true) },
            { label: t('copyWorkdays'), onSelect: copy(row, one => one < 5 || one === row) },
          ],
        },
      ]}
    />
  )
  const said = text === '' ? t('never') : weekWords(text, locale, hour) || t('always')
  return (
    <SlotFrame
      {...props}
      {...{ days, take, names, head }}
      below={
        <div className="row">
          <span className="grow">{said}</span>
          <Button small kind="ghost" disabled={text === ''} onClick={() => take(weekdays.map(() => noSlots))}>
            {t('clearAll')}
          </Button>
        </div>
      }
    />
  )
}

/** One day to mark. */
export function DaySlotsInput(props: InputProps) {
  const t = useTranslations('form.slots')
  const { hour } = useClock().style
  const day = daySlots(String(props.value ?? ''))
  const take = ([next = noSlots]: DaySlots[]) => props.onChange(dayText(next))
  return <SlotFrame {...props} days={[day]} take={take} said={dayWords(day, hour) || t('offAllDay')} />
}
