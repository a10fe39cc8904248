'use client'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { type DaySlots, slotsPerDay } from '@/model/slots'

type Cell = { row: number; slot: number }
/** A rectangle being marked or cleared. */
type Stroke = { from: Cell; to: Cell; on: boolean }

const within = (at: number, a: number, b: number) => at >= Math.min(a, b) && at <= Math.max(a, b)

/** The rows with a stroke's rectangle marked or cleared. */
export const painted = (rows: readonly DaySlots[], { from, to, on }: Stroke): DaySlots[] =>
  rows.map((slots, row) =>
    within(row, from.row, to.row) ? slots.map((was, slot) => (within(slot, from.slot, to.slot) ? on : was)) : slots,
  )

const cellUnder = (event: globalThis.PointerEvent): Cell | undefined => {
  const { row, slot } =
    document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-slot]')?.dataset ?? {}
  return slot === undefined ? undefined : { row: Number(row), slot: Number(slot) }
}

const steps: Readonly<Record<string, readonly [row: number, slot: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -slotsPerDay],
  End: [0, slotsPerDay],
}
const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value))

type Props = {
  rows: readonly DaySlots[]
  onChange: (rows: DaySlots[]) => void
  /** What a cell is called: its day and times. */
  name: (cell: Cell) => string
  /** Before a row's cells. */
  head?: (row: number) => ReactNode
  /** The cell under the pointer or the focus. */
  onPoint: (cell: Cell | undefined) => void
  labels: { 'aria-labelledby': string; 'aria-describedby'?: string }
}

/** Marking with the pointer: the rectangle from where it went down to where it is. A touch that turns into a scroll undoes it. */
function useStroke(rows: readonly DaySlots[], onChange: Props['onChange'], onPoint: Props['onPoint']) {
  const [stroke, setStroke] = useState<Stroke>()
  const shown = stroke ? painted(rows, stroke) : rows
  const move = useEffectEvent((event: globalThis.PointerEvent) => {
    const to = cellUnder(event)
    if (!stroke || !to || to.row >= rows.length) return
    onPoint(to)
    if (to.row !== stroke.to.row || to.slot !== stroke.to.slot) setStroke({ ...stroke, to })
  })
  const end = useEffectEvent((event: globalThis.PointerEvent) => {
    if (event.type === 'pointerup' && stroke) onChange(painted(rows, stroke))
    setStroke(undefined)
  })
  const drawing = stroke !== undefined
  useEffect(() => {
    if (!drawing) return
    const control = new AbortController()
    window.addEventListener('pointermove', event => move(event), control)
    for (const one of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(one, event => end(event), control)
    return () => control.abort()
  }, [drawing])
  const begin = (event: PointerEvent, cell: Cell) => {
    if (event.button === 0) setStroke({ from: cell, to: cell, on: !rows[cell.row]?.[cell.slot] })
  }
  return { shown, begin }
}

/**
 * Half hours of one or several days to mark: dragged over with the pointer, or with the keyboard: arrows go, Space marks,
 * Shift with an arrow takes the neighbour along.
 */
export function SlotGrid({ rows, onChange, name, head, onPoint, labels }: Props) {
  const grid = useRef<HTMLFieldSetElement>(null)
  const [at, setAt] = useState<Cell>({ row: 0, slot: 0 })
  const { shown, begin } = useStroke(rows, onChange, onPoint)
  const go = (cell: Cell) => {
    setAt(cell)
    grid.current?.querySelector<HTMLElement>(`[data-row="${cell.row}"][data-slot="${cell.slot}"]`)?.focus()
  }
  const press = (event: KeyboardEvent, cell: Cell) => {
    const on = rows[cell.row]?.[cell.slot] === true
    const step = steps[event.key]
    if (event.key === ' ') onChange(painted(rows, { from: cell, to: cell, on: !on }))
    else if (!step) return
    else {
      const to = { row: clamp(cell.row + step[0], rows.length - 1), slot: clamp(cell.slot + step[1], slotsPerDay - 1) }
      if (event.shiftKey) onChange(painted(rows, { from: cell, to, on }))
      go(to)
    }
    event.preventDefault()
  }
  return (
    <fieldset className="slots" ref={grid} onPointerLeave={() => onPoint(undefined)} {...labels}>
      {shown.map((slots, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is a day of the week
        <div className="day" key={row}>
          {head?.(row)}
          <div className="cells">
            {slots.map((on, slot) => (
              <button
                type="button"
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is a half hour of the day
                key={slot}
                data-row={row}
                data-slot={slot}
                tabIndex={at.row === row && at.slot === slot ? 0 : -1}
                aria-pressed={on}
                aria-label={name({ row, slot })}
                onPointerDown={event => begin(event, { row, slot })}
                onPointerEnter={() => onPoint({ row, slot })}
                onFocus={() => {
                  setAt({ row, slot })
                  onPoint({ row, slot })
                }}
                onBlur={() => onPoint(undefined)}
                onKeyDown={event => press(event, { row, slot })}
              />
            ))}
          </div>
        </div>
      ))}
    </fieldset>
  )
}
