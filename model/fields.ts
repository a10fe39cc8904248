import * as z from 'zod'
import {
  addressOrSegmentProblem,
  cidr4Problem,
  cidr6Problem,
  hostIpv4Problem,
  hostIpv6Problem,
  interfaceAddressProblem,
  ipv4Number,
  ipv6Groups,
  prefixOfMask,
  privateSegmentProblem,
} from './addresses'
import { email } from './email'
import type { FieldError } from './field-errors'
import { limits } from './limits'
import { localeOf } from './locales'
import { countryCodes, isTimezone } from './places'
import {
  hasControlCharacters,
  isDay,
  isDhcpOption,
  isDomain,
  isHexString,
  isHostname,
  isInstant,
  isInterfaceName,
  isLanVlan,
  isPlainName,
  isPublicKey,
  isRate,
  isSnmpString,
  isSsidVlan,
  isWebUrl,
  isWepKey,
  normalMac,
  normalRanges,
  portsProblem,
  ssidProblem,
  vlansProblem,
  wpaKeyProblem,
} from './rules'
import { dayProblem, daySlots, dayText, weekProblem, weekSlots, weekText } from './slots'

// zod compiles its checks with `new Function` where it can; a page's policy forbids that. Here, before any kind is made,
// so that a form loads zod with its kind and not before.
if (typeof window !== 'undefined') z.config({ jitless: true })

/** What the form draws. Everything else about a field comes from its JSON Schema. */
export type Widget =
  | 'text'
  | 'secret'
  | 'number'
  | 'switch'
  | 'choice'
  | 'checks'
  | 'ref'
  | 'refs'
  | 'mac'
  | 'lines'
  | 'rows'
  | 'rate'
  | 'instant'
  | 'timeZone'
  | 'country'
  | 'language'
  | 'weekday'
  | 'time'
  | 'block'
  | 'source'
  | 'date'
  | 'daySlots'
  | 'weekSlots'
  | 'device'

/** What a keyboard on a phone shows first; `plain` is text of machines, which no spelling is proposed for. */
export type InputMode = 'email' | 'url' | 'plain'

/** What the network's devices have, as they were last seen: their interfaces, and those that lead to the internet. */
export type Source = 'interfaces' | 'uplinks'

export type FieldMeta = {
  widget: Widget
  /** Key in locales/en/form.json `units`. */
  unit?: string
  /** Rule id of the specification. */
  rule?: string
  /** Kind that a `ref` points at. */
  kind?: string
  /** Says who a device is: a single has it for a device alone, never for many. */
  deviceOnly?: true
  /** Fields that say where a secret is sent to: it is kept only while they are. */
  sentTo?: readonly string[]
  /** A secret that nobody has to know: the manager makes one where none is given. */
  made?: true
  /** A choice is a list to open, not cards. */
  menu?: true
  /** How the text is typed. */
  input?: InputMode
  /** Where the values of a `source` come from. */
  source?: Source
  /** Rows that are each of one device of the network, in their column `device`. */
  perDevice?: true
}

/** Values that must differ, each once. Rule N23. */
const distinct = (
  context: z.RefinementCtx,
  values: readonly unknown[],
  pathOf: (at: number) => (string | number)[],
) => {
  for (const [at, value] of values.entries())
    if (value !== undefined && values.indexOf(value) < at)
      context.addIssue({ code: 'custom', message: 'duplicate' satisfies FieldError, path: pathOf(at) })
}

// Strings judged by a predicate that names the problem: one issue, a message key of locales/en/errors.json.
const judged = (problem: (text: string) => FieldError | undefined) =>
  z.string().superRefine((text, context) => {
    const message = problem(text)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** A text that is right or not: a single message key for the latter. */
const valid = (holds: (text: string) => boolean, message: FieldError) =>
  judged(text => (holds(text) ? undefined : message))
// Spaces around what was pasted are nobody's intention.
const trimmed = <T extends z.ZodType<string, string>>(type: T) =>
  z
    .string()
    .transform(text => text.trim())
    .pipe(type)

const meta = <T extends z.ZodType>(type: T, data: FieldMeta): T => type.meta(data as Record<string, unknown>) as T

const text = <T extends z.ZodType>(type: T, rule: string): T => meta(type, { widget: 'text', rule })
const plainText: FieldMeta = { widget: 'text', input: 'plain' }
export const origin = z
  .url({ protocol: /^https?$/, message: 'urlFormat' })
  .max(255, 'tooLong')
  .refine(one => /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(one), 'originOnly')
  .transform(one => new URL(one).origin)
const serverProblem = (one: string) =>
  one.includes(':') ? hostIpv6Problem(one) : isDomain(one) ? undefined : hostIpv4Problem(one)

/**
 * The vocabulary of settings fields. A kind uses these and nothing of zod besides `.optional()` and `.default()`;
 * bounds and the rule's id stand here, once.
 */
export const f = {
  /** Rule W1. */
  ssidName: () => meta(judged(ssidProblem), { widget: 'text', rule: 'W1' }),
  /** Rules W2 and W3; which of them holds is a rule of the kind, since it depends on the security. Stored sealed. */
  wifiKey: () =>
    meta(
      judged(key => (isWepKey(key) ? undefined : wpaKeyProblem(key))),
      { widget: 'secret', rule: 'W2' },
    ),
  /** Rule W2, of a key that machines use among themselves: it is made when none is given. Stored sealed. */
  madeKey: () => meta(judged(wpaKeyProblem), { widget: 'secret', rule: 'W2', made: true }),
  /** Any text that must not be shown again. Stored sealed. */
  secret: (min: number, max: number, about: Pick<FieldMeta, 'rule' | 'sentTo'> = {}) =>
    meta(
      z
        .string()
        .min(min)
        .max(max)
        .refine(text => !hasControlCharacters(text), 'controlCharacters'),
      { widget: 'secret', ...about },
    ),
  /** Rule P9. */
  snmpString: (max: number, widget: 'text' | 'secret' = 'text') =>
    meta(z.string().min(8).max(max).refine(isSnmpString, 'snmpString'), { widget, rule: 'P9' }),
  /** A key that logs in over SSH, one line of OpenSSH's public form. */
  publicKey: () => meta(trimmed(valid(isPublicKey, 'publicKey')), { widget: 'text' }),
  /** Rule N13. */
  ssidVlan: () => meta(z.int().refine(isSsidVlan, 'ssidVlan'), { widget: 'number', rule: 'N13' }),
  int: (min: number, max: number, more: { unit?: string; rule?: string } = {}) =>
    meta(z.int().min(min).max(max), { widget: 'number', ...more }),
  text: (max: number = limits.textCharacters, rule?: string) =>
    meta(
      z
        .string()
        .trim()
        .max(max)
        .refine(text => !hasControlCharacters(text), 'controlCharacters'),
      { widget: 'text', rule },
    ),
  boolean: () => meta(z.boolean(), { widget: 'switch' }),
  /** `menu`: a list to open, where cards for each choice would say no more. */
  choice: <const C extends readonly [string, ...string[]]>(choices: C, more: { menu?: true } = {}) =>
    meta(z.enum(choices), { widget: 'choice', ...more }),
  /** At least one of them, each once. */
  checks: <const C extends readonly [string, ...string[]]>(choices: C) =>
    meta(
      z
        .array(z.enum(choices))
        .min(1, 'required')
        .refine(list => new Set(list).size === list.length, 'duplicate'),
      { widget: 'checks' },
    ),
  /** Rule N4; stored lower case with colons. */
  mac: () =>
    meta(
      judged(text => (normalMac(text) ? undefined : 'mac')).transform(text => normalMac(text) ?? text),
      { widget: 'mac', rule: 'N4' },
    ),
  /** Id of a document of that kind in the same scope. */
  ref: (kind: string) => meta(z.uuid('notFound'), { widget: 'ref', kind }),
  /** Ids of documents of that kind in the same scope, each once. */
  refs: (kind: string, max = 64) =>
    meta(
      z
        .array(z.uuid('notFound'))
        .max(max)
        .superRefine((list, context) => distinct(context, list, at => [at])),
      { widget: 'refs', kind },
    ),

  /** A name that is not empty. */
  name: (max = 64, rule?: string) =>
    meta(
      z
        .string()
        .trim()
        .min(1, 'required')
        .max(max)
        .refine(text => !hasControlCharacters(text), 'controlCharacters'),
      { widget: 'text', rule },
    ),
  /** Rule G16: a name without special punctuation. */
  plainName: (max = 64) =>
    meta(z.string().trim().min(1, 'required').max(max).refine(isPlainName, 'plainName'), {
      widget: 'text',
      rule: 'G16',
    }),

  /** Rule P1: any address, then what a host can have, then segments. */
  ipv4: () => text(trimmed(valid(one => ipv4Number(one) !== undefined, 'ipv4')), 'P1'),
  ipv6: () => text(trimmed(valid(one => ipv6Groups(one) !== undefined, 'ipv6')), 'P1'),
  hostIpv4: () => text(trimmed(judged(hostIpv4Problem)), 'P1'),
  hostIpv6: () => text(trimmed(judged(hostIpv6Problem)), 'P1'),
  /** Of either version. */
  hostIp: () => text(trimmed(judged(one => (one.includes(':') ? hostIpv6Problem(one) : hostIpv4Problem(one)))), 'P1'),
  cidr4: () => text(trimmed(judged(cidr4Problem)), 'P1'),
  cidr6: () => text(trimmed(judged(cidr6Problem)), 'P1'),
  mask4: () => text(trimmed(valid(one => prefixOfMask(one) !== undefined, 'mask')), 'P1'),
  prefix4: (min = 0) => meta(z.int().min(min).max(32), { widget: 'number', rule: 'P1' }),
  prefix6: (min = 0) => meta(z.int().min(min).max(128), { widget: 'number', rule: 'P1' }),
  /** An address or a segment, of either version. */
  addressOrSegment: () => text(trimmed(judged(addressOrSegmentProblem)), 'P1'),
  /** Rule N2. */
  privateSegment: () => text(trimmed(judged(privateSegmentProblem)), 'N2'),
  /** Rules N2 and P1: an interface's address with its prefix, `192.168.1.1/24`. */
  interfaceAddress: () => text(trimmed(judged(interfaceAddressProblem)), 'N2'),

  /** Rule P2: a comma list with ranges, kept without spaces; `numberRanges` reads it. */
  ports: () => text(trimmed(judged(portsProblem)).transform(normalRanges), 'P2'),
  port: () => meta(z.int().min(1).max(65_535), { widget: 'number', rule: 'P2' }),
  /** Rule N14. */
  lanVlan: () => meta(z.int().refine(isLanVlan, 'lanVlan'), { widget: 'number', rule: 'N14' }),
  /** Rule N15. */
  portVlan: () => meta(z.int().min(0).max(4093), { widget: 'number', rule: 'N15' }),
  /** Rule N15: a comma list with ranges, kept without spaces; `numberRanges` reads it. */
  vlanList: () => text(trimmed(judged(vlansProblem)).transform(normalRanges), 'N15'),
  /** Rule N19: 1 is the highest. */
  metric: () => meta(z.int().min(1).max(255), { widget: 'number', rule: 'N19' }),
  /** Rule G20. */
  dhcpOption: () => meta(z.int().refine(isDhcpOption, 'dhcpOption'), { widget: 'number', rule: 'G20' }),

  /** Rule P14. */
  domain: () => text(trimmed(valid(isDomain, 'domain')), 'P14'),
  /** Rule A18. */
  hostname: () => text(trimmed(valid(isHostname, 'hostname')), 'A18'),
  /** Rule A18, of a device itself. */
  ownHostname: () => meta(trimmed(valid(isHostname, 'hostname')), { widget: 'text', rule: 'A18', deviceOnly: true }),
  /** Rule G3: a server by its address or its domain. */
  host: () => text(trimmed(valid(one => !serverProblem(one), 'addressFormat')), 'P14'),
  /** Rule P15. */
  hexString: () => text(trimmed(valid(isHexString, 'hexString')), 'P15'),
  /** Rule G2. */
  url: () => text(trimmed(valid(isWebUrl, 'urlFormat')), 'G2'),
  /** Rule G17: `8 Mbps`; `rateKbps` reads it. */
  rate: () => meta(valid(isRate, 'rate'), { widget: 'rate', rule: 'G17' }),
  /** A moment, `2026-11-22T20:00:00Z`. */
  instant: () => meta(valid(isInstant, 'instant'), { widget: 'instant' }),
  /** A day of the calendar, `2026-12-24`. */
  date: () => meta(valid(isDay, 'date'), { widget: 'date' }),
  /** Rule G16: times of a day in half hours, `08:00-12:00,13:00-24:00`; none is a day that is off. */
  daySlots: () =>
    meta(
      judged(dayProblem).transform(text => dayText(daySlots(text))),
      { widget: 'daySlots', rule: 'G16' },
    ),
  /** Rule G16: the same for a week, `mon-fri 08:00-18:00; sat 09:00-12:00`. */
  weekSlots: () =>
    meta(
      judged(weekProblem).transform(text => weekText(weekSlots(text))),
      { widget: 'weekSlots', rule: 'G16' },
    ),
  /** An IANA zone. */
  timeZone: () => meta(valid(isTimezone, 'notAllowed'), { widget: 'timeZone' }),
  /** ISO 3166-1 alpha-2. */
  country: () =>
    meta(
      valid(one => countryCodes.includes(one), 'notAllowed'),
      { widget: 'country' },
    ),
  /** A language of the console by its code. */
  language: () => meta(z.string().max(16).transform(localeOf), { widget: 'language' }),
  /** Of a clock, `02:30`. */
  time: () => meta(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalidFormat'), { widget: 'time' }),
  /** 0 is Sunday, as cron counts. */
  weekday: () => meta(z.int().min(0).max(6), { widget: 'weekday' }),
  /** Rule A8. */
  email: () => meta(email, { widget: 'text', rule: 'A8', input: 'email' }),
  /** A server that the manager itself asks, by any name that its resolver may know. */
  server: () =>
    meta(
      z
        .string()
        .trim()
        .min(1, 'required')
        .max(253, 'tooLong')
        .regex(/^[A-Za-z0-9.:_-]+$/, 'addressFormat'),
      plainText,
    ),
  /** An attribute of a directory's entries, RFC 4512. */
  attribute: () =>
    meta(
      z
        .string()
        .trim()
        .min(1, 'required')
        .max(64, 'tooLong')
        .regex(/^[A-Za-z][\w;-]*$/, 'ldapAttribute'),
      plainText,
    ),
  /** Scheme, host and port under which people open this manager; links in letters begin with it. */
  origin: () => meta(origin, { widget: 'text', input: 'url' }),
  /** Text of several lines that is no list: certificates, metadata. */
  block: (max: number) => meta(z.string().trim().max(max, 'tooLong'), { widget: 'block' }),
  /** An interface's name: proposed from what the devices have, others can be typed. */
  choiceOf: (source: Source) => meta(valid(isInterfaceName, 'interfaceName'), { widget: 'source', source }),

  /** Short texts, one a line, each once (rule N23): `f.lines(f.mac(), {max: 64})`. Errors at `field.index`. */
  lines: <T extends z.ZodType<string, string>>(item: T, { max = 64, rule }: { max?: number; rule?: string } = {}) =>
    meta(
      z
        .array(item)
        .max(max, 'tooMany')
        .superRefine((list, context) => distinct(context, list, at => [at])),
      { widget: 'lines', rule },
    ),
  /**
   * Small objects as a table: static leases, DHCP options. Errors at `field.index.column`.
   * `unique`: columns that are not twice the same (rule N23).
   */
  rows: <S extends Readonly<Record<string, z.ZodType>>>(
    columns: S,
    { max = 64, unique = [] }: { max?: number; unique?: readonly (keyof S & string)[] } = {},
  ) =>
    meta(
      z
        .array(z.strictObject(columns))
        .max(max, 'tooMany')
        .superRefine((list, context) => {
          for (const column of unique)
            distinct(
              context,
              (list as Record<string, unknown>[]).map(row => row[column]),
              at => [at, column],
            )
        }),
      { widget: 'rows' },
    ),
  /** Rows of single devices, each device once; they go with the device, not with a copy of the network. */
  perDevice: <S extends Readonly<Record<string, z.ZodType>>>(columns: S, { max = 512 }: { max?: number } = {}) =>
    meta(f.rows({ device: meta(z.int().positive(), { widget: 'device' }), ...columns }, { max, unique: ['device'] }), {
      widget: 'rows',
      perDevice: true,
    }),
} as const
