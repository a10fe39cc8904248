import type uPlot from 'uplot'
import { axisOf, type Series, type Unit, unknownRuns } from './chart-scale'

export type PlotModel = {
  /** Unix seconds, ascending, evenly spaced. */
  times: number[]
  series: Series[]
  end?: number
  unitOf?: (max: number) => Unit
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

function drawZero(plot: uPlot): void {
  const { ctx, bbox } = plot
  const y = Math.round(plot.valToPos(0, 'y', true)) + 0.5
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

const seriesOptions = (read: Read): uPlot.Series[] => [
  {},
  ...read().series.map(({ label, color }) => ({
    label,
    stroke: () => token(color),
    fill: () => `color-mix(in srgb, ${token(color)} 10%, transparent)`,
    fillTo: 0,
    width: 1.5,
    points: { show: (_: uPlot, __: number, from: number, to: number) => from === to },
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
    splits: () => axisOf(read().series, read().end, read().unitOf).ticks,
    values: (_, splits) => {
      const { factor } = axisOf(read().series, read().end, read().unitOf).unit
      return splits.map(tick => number(Math.abs(tick) / factor))
    },
  },
]

/** How uplot draws a model; `read` gives the newest one, so that a redraw needs no new plot. */
export function plotOptions(read: Read, size: { width: number; height: number }, tzDate: typeof uPlot.tzDate) {
  const options: uPlot.Options = {
    ...size,
    padding: [10, 16, 0, 0],
    legend: { show: false },
    tzDate: at => tzDate(new Date(at * 1000), read().timeZone),
    cursor: { y: false, drag: { setScale: false }, points: { size: 7 } },
    scales: {
      x: { time: true },
      y: {
        range: () => {
          const { min, max } = axisOf(read().series, read().end, read().unitOf)
          return [min, max]
        },
      },
    },
    series: seriesOptions(read),
    axes: axes(read),
    hooks: { drawAxes: [plot => drawUnknown(plot, read())], draw: [drawZero] },
  }
  return options
}
