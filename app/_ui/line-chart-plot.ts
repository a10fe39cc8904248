import type uPlot from 'uplot'
import { alone, axisOf, type Series, type Unit, unknownRuns } from './chart-scale'

export type PlotModel = {
  /** Unix seconds, ascending, evenly spaced. */
  times: number[]
  series: Series[]
  end?: number
  start?: number
  unitOf?: (max: number) => Unit
  whole?: boolean
  timeZone: string
  hours12: boolean
  noData: string
}
type Read = () => PlotModel

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
const tickFont = '11px "Inter Variable", system-ui, sans-serif'
const dayS = 86_400

function timeLabel(model: PlotModel, at: number): string {
  const span = (model.times.at(-1) ?? 0) - (model.times[0] ?? 0)
  const options: Intl.DateTimeFormatOptions =
    span > 2 * dayS ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit', hour12: model.hours12 }
  return new Intl.DateTimeFormat(document.documentElement.lang, { ...options, timeZone: model.timeZone }).format(
    at * 1000,
  )
}

const number = (value: number) =>
  new Intl.NumberFormat(document.documentElement.lang, { maximumSignificantDigits: 4, useGrouping: false }).format(
    value,
  )

function hatch(context: CanvasRenderingContext2D, ratio: number): CanvasPattern | null {
  const tile = document.createElement('canvas')
  const side = Math.round(6 * ratio)
  tile.width = side
  tile.height = side
  const pen = tile.getContext('2d')
  if (!pen) return null
  pen.strokeStyle = token('border-strong')
  pen.lineWidth = ratio
  pen.beginPath()
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift, side)
    pen.lineTo(shift + side, 0)
  }
  pen.stroke()
  return context.createPattern(tile, 'repeat')
}

function drawUnknown(plot: uPlot, model: PlotModel): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const pattern = hatch(ctx, ratio)
  if (!pattern) return
  ctx.save()
  ctx.font = `${11 * ratio}px "Inter Variable", system-ui, sans-serif`
  ctx.textAlign = 'center'
  for (const [from, to] of unknownRuns(model.series, model.times.length)) {
    const step = (model.times[1] ?? 0) - (model.times[0] ?? 0)
    const place = (index: number, half: number) =>
      Math.min(
        bbox.left + bbox.width,
        Math.max(bbox.left, plot.valToPos((model.times[index] ?? 0) + half * step, 'x', true)),
      )
    const left = place(from, -0.5)
    const width = place(to, 0.5) - left
    ctx.fillStyle = pattern
    ctx.fillRect(left, bbox.top, width, bbox.height)
    const words = ctx.measureText(model.noData).width
    if (width < words + 12 * ratio) continue
    ctx.fillStyle = token('surface')
    ctx.fillRect(left + width / 2 - words / 2 - 4 * ratio, bbox.top + 3 * ratio, words + 8 * ratio, 16 * ratio)
    ctx.fillStyle = token('chart-axis')
    ctx.fillText(model.noData, left + width / 2, bbox.top + 15 * ratio)
  }
  ctx.restore()
}

const scaleOf = ({ series, end, unitOf, whole, start }: PlotModel) => axisOf(series, end, unitOf, whole, start)

/** Above the axis, once: which unit its figures are in. */
function drawUnit({ ctx, bbox }: uPlot, model: PlotModel): void {
  const { unit } = scaleOf(model).unit
  if (!unit) return
  ctx.save()
  ctx.font = `${11 * devicePixelRatio}px "Inter Variable", system-ui, sans-serif`
  ctx.textAlign = 'right'
  ctx.fillStyle = token('chart-axis')
  ctx.fillText(unit, bbox.left - 8 * devicePixelRatio, 10 * devicePixelRatio)
  ctx.restore()
}

/** The line that the chart stands on. */
function drawZero(plot: uPlot, { start = 0 }: PlotModel): void {
  const { ctx, bbox } = plot
  const y = Math.round(plot.valToPos(start, 'y', true)) + 0.5
  ctx.save()
  ctx.strokeStyle = token('border-control')
  ctx.lineWidth = devicePixelRatio
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

/** The values as uplot takes them; mirrored series below zero. */
export const plotData = ({ times, series }: PlotModel): uPlot.AlignedData => [
  times,
  ...series.map(one => one.values.map(value => (value === null || !one.mirrored ? value : -value))),
]

const isSameList = <T>(one: readonly T[], other: readonly T[]) =>
  one === other || (one.length === other.length && one.every((value, at) => value === other[at]))

/** Whether two models give the same picture: their lists may be other ones of the same content. */
export const isDrawnAlike = (one: PlotModel, other: PlotModel): boolean =>
  isSameList(one.times, other.times) &&
  one.series.length === other.series.length &&
  one.series.every((line, at) => isSameList(line.values, other.series[at]?.values ?? [])) &&
  one.end === other.end &&
  one.timeZone === other.timeZone &&
  one.hours12 === other.hours12

const seriesOptions = (read: Read): uPlot.Series[] => [
  {},
  ...read().series.map(({ label, color }) => ({
    label,
    stroke: () => token(color),
    fill: () => `color-mix(in srgb, ${token(color)} 10%, transparent)`,
    fillTo: read().start ?? 0,
    width: 1.5,
    points: { show: true, size: 5, filter: (plot: uPlot, at: number) => alone(Array.from(plot.data[at] ?? [])) },
  })),
]

const axes = (read: Read): uPlot.Axis[] => [
  {
    stroke: () => token('chart-axis'),
    font: tickFont,
    grid: { show: false },
    ticks: { show: false },
    size: 26,
    space: 84,
    values: (_, splits) => splits.map(at => timeLabel(read(), at)),
  },
  {
    stroke: () => token('chart-axis'),
    font: tickFont,
    size: 44,
    gap: 8,
    grid: { stroke: () => token('chart-grid'), width: 1 },
    ticks: { show: false },
    splits: () => scaleOf(read()).ticks,
    values: (_, splits) => {
      const { factor } = scaleOf(read()).unit
      // What is mirrored below zero is no less than zero.
      const shown = (tick: number) => (read().start === undefined ? Math.abs(tick) : tick)
      return splits.map(tick => number(shown(tick) / factor))
    },
  },
]

/** How uplot draws a model; `read` gives the newest one, so that a redraw needs no new plot. */
export function plotOptions(read: Read, size: { width: number; height: number }, tzDate: typeof uPlot.tzDate) {
  const options: uPlot.Options = {
    ...size,
    padding: [read().unitOf ? 24 : 10, 16, 0, 0],
    legend: { show: false },
    tzDate: at => tzDate(new Date(at * 1000), read().timeZone),
    cursor: { y: false, drag: { setScale: false }, points: { size: 7 } },
    scales: {
      x: { time: true },
      y: {
        range: () => {
          const { min, max } = scaleOf(read())
          return [min, max]
        },
      },
    },
    series: seriesOptions(read),
    axes: axes(read),
    hooks: {
      drawAxes: [plot => drawUnknown(plot, read())],
      draw: [plot => drawZero(plot, read()), plot => drawUnit(plot, read())],
    },
  }
  return options
}
