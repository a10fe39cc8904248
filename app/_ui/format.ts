/** Numbers as words of one size and one unit. Pure; the unit is always a separate string, so it can be drawn smaller. */
export type Measured = { value: string; unit: string }

export const inWords = ({ value, unit }: Measured): string => `${value} ${unit}`

/** At most three significant digits, all of them from 1000 on: 8.4, 84.1, 612, 1024. */
export function short(value: number, locale = 'en'): string {
  const digits = Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 }
  return new Intl.NumberFormat(locale, digits).format(value)
}

const rates = [
  { below: 1000, divide: 1, unit: 'bps' },
  { below: 2_000_000, divide: 1000, unit: 'Kbps' },
  { below: 2_000_000_000, divide: 1e6, unit: 'Mbps' },
  { below: Number.POSITIVE_INFINITY, divide: 1e9, unit: 'Gbps' },
] as const

/** Bits a second (rule U1): the unit switches at 1000, 2,000,000 and 2,000,000,000. */
export function bits(perSecond: number, locale?: string): Measured {
  const step = rates.find(rate => Math.abs(perSecond) < rate.below) ?? rates[3]
  return { value: short(perSecond / step.divide, locale), unit: step.unit }
}

const sizes = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const

/** Bytes (rule U2): steps of 1024, up to EB. */
export function bytes(count: number, locale?: string): Measured {
  let value = count
  let step = 0
  while (Math.abs(value) >= 1024 && step < sizes.length - 1) {
    value /= 1024
    step++
  }
  return { value: short(value, locale), unit: sizes[step] ?? 'EB' }
}

/** A link's speed in bits a second, as printed on the port: 100 Mbps, 1 Gbps, 2.5 Gbps. */
export function linkSpeed(perSecond: number, locale?: string): Measured {
  const giga = perSecond >= 1e9
  return { value: short(perSecond / (giga ? 1e9 : 1e6), locale), unit: giga ? 'Gbps' : 'Mbps' }
}

export type TimeUnit = 'day' | 'hour' | 'minute'
export type TimePart = { value: number; unit: TimeUnit }

const spans: readonly (readonly [TimeUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** A duration's two largest parts; under 60 s there are none, and a dash is shown (rule U3). */
export function duration(seconds: number): TimePart[] {
  let rest = Math.floor(seconds)
  const parts: TimePart[] = []
  for (const [unit, size] of spans) {
    const value = Math.floor(rest / size)
    rest -= value * size
    if (value > 0 || parts.length > 0) parts.push({ value, unit })
  }
  return parts.slice(0, 2).filter(part => part.value > 0)
}

/** How long ago: one rounded-down part up to 24 h, `now` under a minute, `date` beyond. */
export function age(ms: number): TimePart | 'now' | 'date' {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return 'now'
  if (seconds >= 86_400) return 'date'
  return seconds < 3600
    ? { value: Math.floor(seconds / 60), unit: 'minute' }
    : { value: Math.floor(seconds / 3600), unit: 'hour' }
}

const hexPairs = /[0-9a-f]{1,2}/gi

/** What a person types or pastes as a MAC address, with its colons put in by themselves: at most 17 characters. */
export function macTyped(text: string): string {
  const hex = text.replace(/[^0-9a-f]/gi, '').slice(0, 12)
  const grouped = (hex.match(hexPairs) ?? []).join(':').toUpperCase()
  return hex.length > 0 && hex.length % 2 === 0 && hex.length < 12 && /[:-]$/.test(text) ? `${grouped}:` : grouped
}
