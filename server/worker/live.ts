import { limits } from '@/model/limits'

// Live values of every device in one block of shared memory: the worker writes, the main thread reads, nothing is
// copied. One row a device, one double a value; not-a-number means unknown. A value is written whole (8 bytes,
// aligned); two values of one row may come from neighbouring polls, which a list may show.

export const liveFields = [
  /** Unix ms of the last answer. */
  'seenAt',
  /** Unix ms when the device started. */
  'bootAt',
  'cpuPercent',
  'memoryPercent',
  'clients',
  'wifiClients',
  /** Unix ms when its clients were counted: from then on a missing number is one that the device does not tell. */
  'countedAt',
  /** bit/s over its physical interfaces. */
  'inBps',
  'outBps',
  'portsUp',
  'portsTotal',
  'poeWatts',
  'temperature',
  /** How busy the air is for the radio that finds it busiest. */
  'airPercent',
  /** Interface errors of about the last hour (port-errors.ts). */
  'portErrors',
  /** Band, channel and power of up to four radios, each in one number (live-radios.ts). */
  'radio1',
  'radio2',
  'radio3',
  'radio4',
] as const
export type LiveField = (typeof liveFields)[number]
export type LiveValues = Partial<Record<LiveField, number>>

const width = liveFields.length
const place = Object.fromEntries(liveFields.map((field, index) => [field, index])) as Record<LiveField, number>

export type LiveTable = {
  buffer: SharedArrayBuffer
  get(row: number, field: LiveField): number | undefined
  /** All known values of a row. */
  row(row: number): LiveValues
  set(row: number, values: LiveValues): void
  /** One value alone, for what is written of all devices at once. */
  put(row: number, field: LiveField, value: number | undefined): void
  /** Everything unknown again; `keep` survives. */
  clear(row: number, keep?: readonly LiveField[]): void
}

/** Rows for every device a manager may hold, and some to spare for those being replaced. */
export const liveRows = limits.devices + 256

export const newLiveBuffer = (): SharedArrayBuffer => {
  const buffer = new SharedArrayBuffer(liveRows * width * 8)
  new Float64Array(buffer).fill(Number.NaN)
  return buffer
}

export function liveTable(buffer: SharedArrayBuffer): LiveTable {
  const cells = new Float64Array(buffer)
  const get = (row: number, field: LiveField) => {
    const value = cells[row * width + place[field]]
    return value === undefined || Number.isNaN(value) ? undefined : value
  }
  return {
    buffer,
    get,
    row(row) {
      const values: LiveValues = {}
      const from = row * width
      for (let index = 0; index < width; index++) {
        const value = cells[from + index]
        if (value !== undefined && !Number.isNaN(value)) values[liveFields[index] as LiveField] = value
      }
      return values
    },
    set(row, values) {
      for (const field of Object.keys(values) as LiveField[])
        cells[row * width + place[field]] = values[field] ?? Number.NaN
    },
    put(row, field, value) {
      cells[row * width + place[field]] = value ?? Number.NaN
    },
    clear(row, keep = []) {
      for (const field of liveFields) if (!keep.includes(field)) cells[row * width + place[field]] = Number.NaN
    },
  }
}
