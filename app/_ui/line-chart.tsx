'use client'
import { useLocale, useTranslations } from 'next-intl'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type uPlot from 'uplot'
import type { Series, Unit } from './chart-scale'
import { isDrawnAlike, type PlotModel, plotData, plotOptions } from './line-chart-plot'
import { Sketch } from './line-chart-sketch'
import { SkeletonBlock } from './states'
import 'uplot/dist/uPlot.min.css'
import './line-chart.css'

export type LineChartProps = {
  /** What the chart tells, in a sentence, for those who do not see it. */
  label: string
  /** Unix seconds, ascending, evenly spaced: the beginning of each step. */
  times: number[]
  series: Series[]
  /** A value with its unit, for the card at the cursor and the table. */
  format: (value: number) => string
  /** Which unit the axis uses, by its largest value. */
  unitOf?: (max: number) => Unit
  /** Things that are counted: no tick between two of them. */
  whole?: boolean
  /** Fixed end of the axis: 100 for percent, a budget. */
  end?: number
  /** Fixed beginning of the axis, of values that are below zero by nature: dBm. */
  start?: number
  height?: number
  timeZone: string
  hours12?: boolean
  /** The same data as a table instead. */
  asTable?: boolean
}

/** Pixels; kept free from the first drawing of the page on, so that nothing moves when the lines come. */
const defaultHeight = 232

/** The room of a chart whose values are still on their way. */
export const ChartRoom = ({ height = defaultHeight }: { height?: number }) => <SkeletonBlock height={height} />

type Cursor = { index: number; left: number }
const isSamePlace = (one: Cursor | null, other: Cursor | null) =>
  one?.index === other?.index && one?.left === other?.left

/** Lines over time on one scale. Unknown time is a hatched band; the arrow keys move the cursor. */
export function LineChart(props: LineChartProps) {
  const shape = props.series.map(one => one.label + one.color).join()
  return props.asTable ? <DataOfChart {...props} /> : <Plot key={shape} {...props} />
}

function useRange({ times, timeZone, hours12 }: LineChartProps) {
  const locale = useLocale()
  const step = (times[1] ?? 0) - (times[0] ?? 0)
  const long = (times.at(-1) ?? 0) - (times[0] ?? 0) > 86_400
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    hour12: hours12 ?? false,
    ...(long && { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
  })
  return (index: number) => {
    const from = (times[index] ?? 0) * 1000
    return format.formatRange(from, from + step * 1000)
  }
}

function Values({ props, index }: { props: LineChartProps; index: number }) {
  const t = useTranslations('common')
  return props.series.map(({ label, color, values }) => {
    const value = values[index]
    return (
      <div key={label}>
        <span>
          <i className="swatch" style={{ background: `var(--${color})` }} />
          {label}
        </span>
        <b>
          <bdi>{value === null || value === undefined ? t('chart.noData') : props.format(value)}</bdi>
        </b>
      </div>
    )
  })
}

const valuesAt = ({ series, format }: LineChartProps, index: number, noData: string) =>
  series.map(({ label, values }) => `${label} ${values[index] == null ? noData : format(values[index])}`)

type PlotEars = { onCursor: (cursor: Cursor | null) => void; onDrawn: () => void }

function usePlot(props: LineChartProps, noData: string, { onCursor, onDrawn }: PlotEars) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const model: PlotModel = { ...props, hours12: props.hours12 ?? false, noData }
  const latest = useRef(model)
  const height = props.height ?? defaultHeight

  // Drawing anew moves the cursor, which is told to the page: doing so at each of its renders would never end.
  useEffect(() => {
    const drawn = latest.current
    latest.current = model
    if (!isDrawnAlike(drawn, model)) plot.current?.setData(plotData(model))
  })
  useEffect(() => {
    let ended = false
    const element = host.current
    if (!element) return
    // It tells of the size that it begins with, too, and of the height that what is drawn gives: neither is a reason to draw.
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth
      if (width !== plot.current?.width) plot.current?.setSize({ width, height })
    })
    const restyled = new MutationObserver(() => plot.current?.redraw(false, true))
    const draw = (UPlot: typeof uPlot) => {
      if (ended) return
      const options = plotOptions(() => latest.current, { width: element.clientWidth, height }, UPlot.tzDate)
      options.hooks = {
        ...options.hooks,
        setCursor: [
          ({ cursor }) =>
            onCursor(
              cursor.idx === null || cursor.idx === undefined ? null : { index: cursor.idx, left: cursor.left ?? 0 },
            ),
        ],
      }
      plot.current = new UPlot(options, plotData(latest.current), element)
      onDrawn()
      resized.observe(element)
      restyled.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    }
    // The page itself says when a part of it did not arrive; the table of the same data is still there.
    import('uplot').then(({ default: loaded }) => draw(loaded)).catch(() => undefined)
    return () => {
      ended = true
      resized.disconnect()
      restyled.disconnect()
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [height, onCursor, onDrawn])
  return { host, plot }
}

function Plot(props: LineChartProps) {
  const t = useTranslations('common')
  const [cursor, setCursor] = useState<Cursor | null>(null)
  const follow = useCallback((to: Cursor | null) => setCursor(from => (isSamePlace(from, to) ? from : to)), [])
  const [drawn, setDrawn] = useState(false)
  const onDrawn = useCallback(() => setDrawn(true), [])
  const { host, plot } = usePlot(props, t('chart.noData'), { onCursor: follow, onDrawn })
  const range = useRange(props)

  const move = (event: KeyboardEvent) => {
    const last = props.times.length - 1
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12, Home: -last - 1, End: last + 1 }[event.key]
    const u = plot.current
    if (!steps || !u || last < 0) return
    event.preventDefault()
    const index = Math.min(last, Math.max(0, (cursor?.index ?? (steps > 0 ? -1 : last + 1)) + steps))
    u.setCursor({ left: u.valToPos(props.times[index] ?? 0, 'x'), top: 0 })
  }
  const leave = () => {
    plot.current?.setCursor({ left: -10, top: -10 })
    setCursor(null)
  }
  const told = (index: number) => [range(index), ...valuesAt(props, index, t('chart.noData'))].join(', ')
  const nearEnd = cursor !== null && cursor.index > props.times.length / 2
  return (
    <div className="line-chart">
      {!drawn && <Sketch {...props} />}
      <div
        ref={host}
        className="plot"
        style={{ blockSize: props.height ?? defaultHeight }}
        role="slider"
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, props.times.length - 1)}
        aria-valuenow={cursor?.index ?? 0}
        aria-valuetext={cursor ? told(cursor.index) : props.label}
        tabIndex={0}
        onKeyDown={move}
        onBlur={leave}
      />
      {cursor && (
        <div
          className={`popover chart-tip ${nearEnd ? 'before' : ''}`}
          style={{ left: cursor.left + 44 }}
          aria-hidden="true"
        >
          <span className="muted">{range(cursor.index)}</span>
          <Values props={props} index={cursor.index} />
        </div>
      )}
    </div>
  )
}

// A scrolled region has to be reachable by the keyboard.
const scrolled = { tabIndex: 0 }

const newestFirst = (times: readonly number[]) => times.map((_, index) => times.length - 1 - index)

function DataOfChart(props: LineChartProps) {
  const t = useTranslations('common')
  const range = useRange(props)
  return (
    <section
      className="chart-table"
      style={{ maxBlockSize: props.height ?? defaultHeight }}
      aria-label={props.label}
      {...scrolled}
    >
      <table className="data-table plain">
        <thead>
          <tr>
            <th>{t('chart.time')}</th>
            {props.series.map(one => (
              <th key={one.label} className="numeric">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newestFirst(props.times).map(index => (
            <tr key={props.times[index]}>
              <td className="number">{range(index)}</td>
              {props.series.map(({ label, values }) => {
                const value = values[index]
                return (
                  <td key={label} className="numeric">
                    {value === null || value === undefined ? t('chart.noData') : props.format(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
