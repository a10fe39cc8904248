import * as z from 'zod'
import { addressFields } from './address-fields'
import { email } from './email'
import type { FieldMeta, Source } from './field-meta'
import { distinct, judged, meta, text, trimmed, valid } from './field-types'
import { limits } from './limits'
import {
  certificatesProblem,
  hasControlCharacters,
  isDataAmount,
  isDay,
  isHexString,
  isInstant,
  isInterfaceName,
  isLdapCondition,
  isPlainName,
  isPublicKey,
  isRadiusName,
  isRadiusSecret,
  isRate,
  isSnmpString,
  isSsidVlan,
  isWebAddress,
  isWebUrl,
  isWepKey,
  normalMac,
  ssidProblem,
  wpaKeyProblem,
} from './rules'

const plainText: FieldMeta = { widget: 'text', input: 'plain' }
export const origin = z
  .url({ protocol: /^https?$/, message: 'urlFormat' })
  .max(255, 'tooLong')
  .refine(one => /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(one), 'originOnly')
  .transform(one => new URL(one).origin)

/**
 * The vocabulary of settings fields. A kind uses these and nothing of zod besides `.optional()` and `.default()`;
 * bounds and the rule's id stand here, once.
 */
export const f = {
  ...addressFields,
  /** Rule W1. */
  ssidName: () => meta(judged(ssidProblem), { widget: 'text', rule: 'W1' }),
  /** Rules W2 and W3; which of them holds is a rule of the kind, since it depends on the security. Stored sealed. */
  wifiKey: () =>
    meta(
      judged(key => (isWepKey(key) ? undefined : wpaKeyProblem(key))),
      { widget: 'secret', rule: 'W2', generated: true },
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
  /** The name that somebody signs in with at the RADIUS server. */
  radiusName: () =>
    meta(trimmed(z.string().min(1, 'required').max(64, 'tooLong').pipe(valid(isRadiusName, 'radiusName'))), plainText),
  /** What somebody signs in with there, and at a VPN. Stored sealed. */
  userPassword: () =>
    meta(
      z
        .string()
        .min(8)
        .max(64)
        .refine(text => !hasControlCharacters(text), 'controlCharacters'),
      { widget: 'secret', generated: true },
    ),
  /** Rule G3, of those whom the manager's own RADIUS server knows. Stored sealed. */
  radiusSecret: () => meta(valid(isRadiusSecret, 'radiusSecret'), { widget: 'secret', rule: 'G3', generated: true }),
  /** Rule P9. */
  snmpString: (max: number, widget: 'text' | 'secret' = 'text') =>
    meta(z.string().min(8).max(max).refine(isSnmpString, 'snmpString'), { widget, rule: 'P9' }),
  /** A key that logs in over SSH, one line of OpenSSH's public form. */
  publicKey: () => meta(trimmed(valid(isPublicKey, 'publicKey')), { widget: 'text' }),
  /** Rule N13. */
  ssidVlan: (more: Pick<FieldMeta, 'ofLan'> = {}) =>
    meta(z.int().refine(isSsidVlan, 'ssidVlan'), { widget: 'number', rule: 'N13', ...more }),
  int: (min: number, max: number, more: Pick<FieldMeta, 'unit' | 'rule' | 'band'> = {}) =>
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

  /** Rule P15. */
  hexString: () => text(trimmed(valid(isHexString, 'hexString')), 'P15'),
  /** Rule G2. */
  url: () => text(trimmed(valid(isWebUrl, 'urlFormat')), 'G2'),
  /** Rule G17: `8 Mbps`; `rateKbps` reads it. */
  rate: () => meta(valid(isRate, 'rate'), { widget: 'rate', rule: 'G17' }),
  /** Rule G13: `500 MB`; `dataBytes` reads it. */
  data: () => meta(valid(isDataAmount, 'dataAmount'), { widget: 'data', rule: 'G13' }),
  /** A moment, `2026-11-22T20:00:00Z`. */
  instant: () => meta(valid(isInstant, 'instant'), { widget: 'instant' }),
  /** A day of the calendar, `2026-12-24`. */
  date: () => meta(valid(isDay, 'date'), { widget: 'date' }),
  /** Of a clock, `02:30`. */
  time: () =>
    meta(
      z
        .string()
        .min(1, 'required')
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalidFormat'),
      { widget: 'time' },
    ),
  /** 0 is Sunday, as cron counts. */
  weekday: () => meta(z.int().min(0).max(6), { widget: 'weekday' }),
  /** Rule A8. */
  email: () => meta(email, { widget: 'text', rule: 'A8', input: 'email' }),
  /** Text of people in several lines. */
  prose: (max: number) =>
    meta(
      z
        .string()
        .trim()
        .max(max, 'tooLong')
        .refine(text => !text.split('\n').some(hasControlCharacters), 'controlCharacters'),
      { widget: 'prose' },
    ),
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
  /** A part of a directory's filter (RFC 4515), in its brackets. */
  ldapCondition: (max: number) =>
    meta(trimmed(z.string().max(max, 'tooLong').pipe(valid(isLdapCondition, 'ldapCondition'))), {
      widget: 'text',
      input: 'plain',
    }),
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
  /** Where browsers are sent to, by http or https. */
  webAddress: (max: number) =>
    meta(z.string().trim().max(max, 'tooLong').refine(isWebAddress, 'urlFormat'), { widget: 'text', input: 'url' }),
  /** Text of several lines that is no list: certificates, metadata. */
  block: (max: number) => meta(z.string().trim().max(max, 'tooLong'), { widget: 'block' }),
  /** Rule P10: certificates of who is trusted, PEM. */
  certificates: (max: number) =>
    meta(trimmed(z.string().max(max, 'tooLong').pipe(judged(certificatesProblem))), { widget: 'block', rule: 'P10' }),
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
  /** Ports of switches by name: picked on a drawn row of ports, or typed; one a line. Errors at `field.index`. */
  portNames: (max: number) => meta(f.lines(f.name(), { max }), { widget: 'ports' }),
  /** Ports of the row's own device (`perDevice`), with commas between; absent: none. */
  portsHere: (max: number) => meta(f.text(max), { widget: 'ports' }),
  /** Rows of single devices, each device once; they go with the device, not with a copy of the network. */
  perDevice: <S extends Readonly<Record<string, z.ZodType>>>(columns: S, { max = 512 }: { max?: number } = {}) =>
    meta(f.rows({ device: meta(z.int().positive(), { widget: 'device' }), ...columns }, { max, unique: ['device'] }), {
      widget: 'rows',
      perDevice: true,
    }),
} as const
