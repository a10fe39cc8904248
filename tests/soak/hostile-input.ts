// Inputs for any call, made from its schema: of the right shape with hostile values, and then marred.

import { isLibrary, type KindId, loadKind } from '@/model/registry'
import type { Schema } from '@/server/door/schemas'
import { randomDocument } from '../model/_random'

export type Random = () => number
/** Values that answers held, by the name they stood at: so that ids and names of inputs are often of something that exists. */
export type Pool = Map<string, unknown[]>

const below = (random: Random, count: number) => Math.floor(random() * count)
export const one = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** Text that has broken something somewhere: quoting, encodings, patterns, paths, prototypes, formats. */
export const hostileTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\t',
    "'",
    '"',
    '`',
    '\\',
    '$(reboot)',
    '`reboot`',
    '; reboot',
    '| id',
    '&& id',
    '%00',
    '%n%s',
    '{{7*7}}',
    '#{7*7}',
  ],
  ...[
    '\n',
    '\r\nSet-Cookie: a=b',
    '\u0000',
    'a\u0000b',
    '\u2028',
    '\u202e',
    '\ufeff',
    '\ud800',
    '\udfff\ud800',
    '\ue000\ue001',
    '\u0301'.repeat(64),
  ],
  ...[
    "' OR 1=1 --",
    '"; DROP TABLE accounts; --',
    '%',
    '_',
    '*',
    '(',
    '[a-',
    '(a+)+$',
    '^',
    'a'.repeat(40),
    'İı',
    'ﬀ',
    '🏴‍☠️',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'null',
    'undefined',
    'NaN',
    '-0',
    '1e999',
  ],
  ...['../../etc/passwd', '/etc/passwd', '..\\..', 'file:///etc/passwd', 'C:\\', '.', '..', '/', '\\\\host\\x', 'CON'],
  ...[
    'http://127.0.0.1:9/',
    'https://[::1]:9/',
    'http://user:pw@127.0.0.1:9/',
    'javascript:alert(1)',
    'ldap://127.0.0.1:9',
    'http://[',
    '//',
  ],
  ...[
    '127.0.0.1',
    '::1',
    '0.0.0.0',
    '255.255.255.255',
    '127.0.0.1/0',
    '127.0.0.1/33',
    '::/129',
    '999.1.1.1',
    '1',
    'fe80::1%lo',
    'nowhere.invalid',
  ],
  ...[
    '02:00:00:00:00:01',
    '0200.0000.0001',
    'ff:ff:ff:ff:ff:ff',
    'a@b.example',
    'a@',
    '@',
    'a@b\r\nBcc: c@d.example',
    '2026-02-30',
    '99999-01-01T00:00:00Z',
  ],
  ...[
    '<script>alert(1)</script>',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
    'ssh-ed25519 AAAA',
    'AAAA',
    '=',
    'lw_',
    'superAdministrator',
    'en',
    'Europe/Lisbon',
  ],
]
/** What many fields take. */
const plainTexts = ['abc', 'Abc123', '10.0.0.5', '10.0.0.0/24', 'a@b.example', 'PT', 'UTC', 'https://127.0.0.1:9/']
const hostileNumbers = [
  0,
  -0,
  -1,
  1,
  2,
  0.5,
  255,
  256,
  65_535,
  65_536,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
]
const hostileValues = (random: Random): unknown =>
  one<() => unknown>(random, [
    () => null,
    () => one(random, [true, false]),
    () => one(random, hostileNumbers),
    () => one(random, hostileTexts),
    () => [],
    () => ({}),
    () => [null],
    () => ({ set: true }),
    () => ({ length: 2 ** 32, 0: 'x' }),
    () => ({ toString: 1, valueOf: 1, constructor: 1 }),
    () => one(random, hostileTexts).repeat(1 + below(random, 3000)),
    () => times(below(random, 1500), at => at),
    () => times(below(random, 300), () => one(random, hostileTexts)),
  ])()

/** A value of about the schema's form. */
export function shaped(schema: Schema, random: Random, pool: Pool, name = ''): unknown {
  const known = pool.get(name)
  if (known?.length && random() < 0.6) return one(random, known)
  const {
    const: constant,
    enum: choices,
    anyOf,
    oneOf,
    allOf,
    items,
    prefixItems,
    pattern: _,
    ...rest
  } = schema as Schema & Record<'enum' | 'anyOf' | 'oneOf' | 'allOf' | 'prefixItems', Schema[]> & { items?: Schema }
  if (constant !== undefined) return constant
  if (choices) return one(random, choices)
  const some = anyOf ?? oneOf
  if (some) return shaped(one(random, some), random, pool, name)
  if (allOf) return Object.assign({}, ...allOf.map(part => shaped(part, random, pool, name)))
  switch (rest.type) {
    case 'object':
      return objectOf(rest, random, pool)
    case 'array':
      if (prefixItems) return prefixItems.map(part => shaped(part, random, pool, name))
      return times(below(random, 4), () => shaped(items ?? {}, random, pool, name.replace(/s$/, '')))
    case 'boolean':
      return random() < 0.5
    case 'integer':
    case 'number': {
      const [least, most] = [Number(rest.minimum ?? 0), Number(rest.maximum ?? 20)]
      return random() < 0.7
        ? least + below(random, Math.min(most - least, 20) + 1)
        : one(random, [least, most, least - 1, most + 1])
    }
    case 'null':
      return null
    default:
      return textOf(rest, random)
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  random: Random,
  pool: Pool,
): object {
  const named = Object.entries(properties).filter(([key]) => required.includes(key) || random() < 0.5)
  const open = typeof additionalProperties === 'object' && additionalProperties !== null
  const more = open ? times(below(random, 3), () => one(random, hostileTexts)) : []
  return Object.fromEntries([
    ...named.map(([key, of]) => [key, shaped(of, random, pool, key)]),
    ...more.map(key => [key, shaped(additionalProperties as Schema, random, pool)]),
  ])
}

function textOf({ maxLength, minLength }: Schema, random: Random): string {
  const [least, most] = [Number(minLength ?? 0), Math.min(Number(maxLength ?? 64), 5000)]
  if (random() < 0.4) return one(random, plainTexts)
  const text =
    random() < 0.5 ? one(random, hostileTexts) : times(1 + below(random, 6), () => one(random, hostileTexts)).join('')
  return random() < 0.2 ? text.padEnd(one(random, [least, most, most + 1]), 'é') : text
}

/** A list's or a network's setting that a person could save. */
export async function savedBy(kindId: KindId, random: Random, pool: Pool): Promise<object> {
  const kind = await loadKind(kindId)
  const ids = Object.fromEntries(
    Object.values(kind.refs).map(to => [to, (pool.get(`${to} id`) ?? [uuid(0)]) as string[]]),
  )
  const data = randomDocument(kind, random, { ids })
  return kind.single || isLibrary(kindId) ? data : { ...data, assign: { all: true, groups: [], devices: [] } }
}
const uuid = (n: number) => `0190a0de-0000-7000-8000-${String(n).padStart(12, '0')}`

/** The same with something hostile at one place of it: another value, a place more, or nothing. */
function marredAt(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.3) return hostileValues(random)
  const keys = Object.keys(value)
  const key = random() < 0.1 || keys.length === 0 ? one(random, hostileTexts) : one(random, keys)
  if (Array.isArray(value)) return value.map((part, at) => (String(at) === key ? marredAt(part, random) : part))
  if (random() < 0.15) return Object.fromEntries(Object.entries(value).filter(([own]) => own !== key))
  return Object.fromEntries([
    ...Object.entries(value),
    [key, marredAt((value as Record<string, unknown>)[key], random)],
  ])
}

const deep = (levels: number, open: string, shut: string) => open.repeat(levels) + shut.repeat(levels)
/** One key twice, in JSON that is otherwise as it was. */
const doubled = (text: string, random: Random) =>
  text.startsWith('{"')
    ? `{${text.slice(1, text.indexOf(':', 1))}:${JSON.stringify(hostileValues(random))},${text.slice(1)}`
    : text
const polluting = (text: string, random: Random) =>
  `{"${one(random, ['__proto__', 'constructor'])}":{"polluted":true,"prototype":{"polluted":true}}${text === '{}' ? '}' : `,${text.slice(1)}`}`

/** What is sent for an input, most often its JSON. */
export function bodyFor(input: unknown, random: Random): string {
  const marred = random() < 0.5 ? marredAt(input, random) : input
  const text = JSON.stringify(marred) ?? 'null'
  const kind = random()
  if (kind < 0.86) return text
  if (kind < 0.9) return doubled(text, random)
  if (kind < 0.94) return polluting(JSON.stringify(input), random)
  return one<() => string>(random, [
    () => text.slice(0, below(random, text.length)),
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => deep(1 + below(random, 30_000), '[', ']'),
    () => deep(1 + below(random, 10_000), '{"a":', '}').replace(':}', ':1}'),
    () => `{"id":${'9'.repeat(1 + below(random, 5000))}}`,
    () => '',
    () => 'a=b&c[]=d',
    () => `{"a":"${'x'.repeat(below(random, 200_000))}"}`,
  ])()
}
