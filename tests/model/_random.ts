// Random documents of any kind, made from its fields: whatever the vocabulary takes, as awkward as it takes it.
import * as z from 'zod'
import type { FieldMeta } from '@/model/field-meta'
import { check, type Data, hiddenFields, type Kind, metaOf } from '@/model/kind'
import { timezoneIds } from '@/model/places'
import { slotTime } from '@/model/slots'

/** 0 to 1; `randomOf(seed)` of tests/soak gives the same for the same seed. */
export type Random = () => number
export type RandomOptions = {
  /** The same scope's other documents, which rules may look at. */
  others?: readonly Data[]
  /** Documents that references can name: kind → ids. */
  ids?: Readonly<Record<string, readonly string[]>>
}

const below = (random: Random, count: number) => Math.floor(random() * count)
const one = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
const hex = (random: Random, digits: number) => times(digits, () => below(random, 16).toString(16)).join('')

/** What breaks a shell, a configuration file, a page or a log, if it is taken as it is. */
export const awkward = [
  ...['"', "'", '`', '\\', '$(id)', '$HOME', ';', '|', '&', '<b>', '#', '%s', '{', '}', '=', '*', '--', '!'],
  ...['\n', '\r', '\t', '\u0000', '\u2028', '\u202E', '\u200F', '\u0301', 'é', 'ß', '酒', '😀', '🏴‍☠️', '．', '！', ' '],
]
const text = (random: Random, most: number) =>
  times(1 + below(random, most), () =>
    random() < 0.4 ? one(random, awkward) : one(random, [...'abcXYZ0189-_. ']),
  ).join('')

const byte = (random: Random) => below(random, 256)
/** Addresses come from a few segments, so that those of a document have something to do with each other. */
const inSegment = (random: Random) => `10.20.30.${byte(random)}`
const ipv4 = (random: Random) => (random() < 0.7 ? inSegment(random) : times(4, () => byte(random)).join('.'))
const ipv6 = (random: Random) =>
  `2001:db8:${times(3, () => hex(random, 3).replace(/^0+(?=.)/, '')).join(':')}::${hex(random, 1)}`
const mac = (random: Random) => times(6, () => hex(random, 2)).join(one(random, [':', '-', '']))
const domain = (random: Random) => times(1 + below(random, 3), () => `a${hex(random, 4)}`).join('.')
const numbers = (random: Random) => {
  const list = times(1 + below(random, 4), () => below(random, 4093)).sort((a, b) => a - b)
  return [...new Set(list)]
    .map((first, at) => (at === list.length - 1 && random() < 0.5 ? `${first}-${first + 1}` : first))
    .join(',')
}

const day = (random: Random) => {
  const at = below(random, 48)
  return `${slotTime(at)}-${slotTime(at + 1 + below(random, 48 - at))}`
}

/** RFC 8709: the type's name, then 32 bytes. */
const certificate = (random: Random) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(`308201${hex(random, 66)}`, 'hex').toString('base64')}\n-----END CERTIFICATE-----`
const publicKey = (random: Random) => {
  const name = '0000000b7373682d65643235353139'
  return `ssh-ed25519 ${Buffer.from(`${name}00000020${hex(random, 64)}`, 'hex').toString('base64')} ${hex(random, 4)}`
}

/** Strings of every form the vocabulary knows; what a field does not take is thrown again. */
const strings: readonly ((random: Random) => string)[] = [
  random => text(random, 40),
  random => text(random, 10),
  random => text(random, 3),
  ipv4,
  inSegment,
  random => `10.20.30.${byte(random)}/24`,
  random => one(random, ['10.0.0.0/8', '192.168.0.0/16', '10.20.30.0/24', '2001:db8::/32', '255.255.255.0', '::/0']),
  ipv6,
  mac,
  domain,
  random => `h-${hex(random, 4)}`,
  numbers,
  random => `${1 + below(random, 999)} ${one(random, ['K', 'M'])}bps`,
  random => hex(random, 4 + 2 * below(random, 30)),
  random => hex(random, 64),
  random => `http://${domain(random)}/${hex(random, 4)}`,
  random => one(random, timezoneIds()),
  random => one(random, ['DE', 'US', 'JP']),
  random => `20${10 + below(random, 89)}-0${1 + below(random, 9)}-1${below(random, 10)}T1${below(random, 10)}:30:00Z`,
  random => one(random, ['eth0', 'br-lan', 'wan@eth1', 'lan1.20']),
  random => `20${10 + below(random, 89)}-0${1 + below(random, 9)}-1${below(random, 10)}`,
  day,
  publicKey,
  random => `${one(random, ['mon', 'tue-thu', 'sat-sun', 'mon-sun'])} ${day(random)}`,
  random => `+${1 + below(random, 99)}`,
  random => `https://${domain(random)}/?to={${one(random, ['phone', 'digits'])}}&text={message}`,
  random => `X-${hex(random, 4)}: {secret}`,
  random => `AC${hex(random, 32)}`,
  random => `https://${domain(random)}`,
]

type Definition = {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  entries?: Record<string, string>
}
const definitionOf = (type: z.ZodType) => type.def as unknown as Definition

/** A value that the type takes, or undefined for none. Throws when nothing fits: then the generator lacks a form. */
function anyOf(type: z.ZodType, random: Random, options: RandomOptions, name: string): unknown {
  const { type: sort, innerType } = definitionOf(type)
  if ((sort === 'default' || sort === 'optional') && innerType)
    return random() < 0.4 ? undefined : anyOf(innerType, random, options, name)
  for (let tries = 0; tries < 2000; tries++) {
    const parsed = type.safeParse(candidate(type, random, options, name))
    if (parsed.success) return parsed.data
  }
  throw new Error(`no random value fits the field ${name}`)
}

/** Texts of a form that chance does not meet. */
const ofWidget: Partial<Record<FieldMeta['widget'], (random: Random) => string>> = {
  block: certificate,
  colour: random => `#${hex(random, 6)}`,
  data: random => `${1 + below(random, 1_048_576)} ${one(random, ['KB', 'MB', 'GB'])}`,
  time: random => `${10 + below(random, 14)}:${10 + below(random, 50)}`,
}

function candidate(type: z.ZodType, random: Random, options: RandomOptions, name: string): unknown {
  const { type: sort, element, shape, entries } = definitionOf(type)
  const meta: FieldMeta | undefined = metaOf(type)
  if (meta?.kind) {
    const ids = options.ids?.[meta.kind] ?? []
    return meta.widget === 'refs' ? ids.filter(() => random() < 0.5) : one(random, ids)
  }
  const uuid = () => `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`
  if (meta?.widget === 'file' || name === 'wifi4euNetwork') return uuid()
  if (meta?.widget === 'files') return times(below(random, 4), uuid)
  if (meta?.rule === 'A20') return `${text(random, 10)} {code} 10 ${text(random, 10)}`
  if (name.endsWith('Condition')) return `(cn=${hex(random, 4)}*)`
  const written = meta && ofWidget[meta.widget]
  if (written) return written(random)
  if (sort === 'boolean') return random() < 0.5
  if (entries) return one(random, Object.values(entries))
  if (sort === 'number') return integer(type, random)
  if (element) return times(below(random, 4), () => anyOf(element, random, options, name))
  if (shape)
    return Object.fromEntries(
      Object.entries(shape).map(([key, inner]) => [key, anyOf(inner, random, options, `${name}.${key}`)]),
    )
  return random() < 0.4 ? text(random, 24) : one(random, strings)(random)
}

/** At its edges as often as between them. */
function integer(type: z.ZodType, random: Random): number {
  const { minimum, maximum } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as {
    minimum?: number
    maximum?: number
  }
  // A field without bounds of its own is held by a predicate: VLANs, DHCP options.
  const least = minimum === undefined || minimum < -1_000_000 ? 0 : minimum
  const most = maximum === undefined || maximum > 10_000_000 ? 4093 : maximum
  return one(random, [
    least,
    most,
    least + below(random, most - least + 1),
    least + below(random, Math.min(300, most - least + 1)),
  ])
}

/** A value that one field takes, whatever the others have; undefined for none. */
export const randomValue = ({ fields }: Kind, key: string, random: Random, options: RandomOptions = {}): unknown =>
  anyOf((fields.shape as Record<string, z.ZodType>)[key] as z.ZodType, random, options, key)

/**
 * A valid document of the kind: fields at random, those that a rule refuses thrown again until all agree. The same
 * random numbers give the same document. Throws when 2,000 throws did not find one.
 */
export function randomDocument(kind: Kind, random: Random, options: RandomOptions = {}): Data {
  const shape = kind.fields.shape as Record<string, z.ZodType>
  const throwAt = (key: string) => anyOf(shape[key] as z.ZodType, random, options, key)
  const data: Data = Object.fromEntries(Object.keys(shape).map(key => [key, throwAt(key)]))
  for (let tries = 0; tries < 2000; tries++) {
    const whole = kind.fields.safeParse(data)
    const hidden = whole.success ? hiddenFields(kind, whole.data) : []
    const given = Object.fromEntries(
      Object.entries(data).filter(([key, value]) => value !== undefined && !hidden.includes(key)),
    )
    const checked = check(kind, given, { ...(options.others && { others: options.others }) })
    if ('data' in checked) return checked.data
    const wrong = Object.keys(checked.fields).map(path => path.split('.')[0] as string)
    // The field at fault, and now and then another: the fault may lie in what it is held against.
    for (const key of new Set([...wrong, ...(random() < 0.5 ? [one(random, Object.keys(shape))] : [])]))
      if (Object.hasOwn(shape, key)) data[key] = throwAt(key)
  }
  throw new Error(`no valid document of ${kind.id} was found`)
}
