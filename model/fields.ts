import * as z from 'zod'
import { limits } from './limits'
import { hasControlCharacters, isSsidVlan, normalMac, ssidProblem, wpaKeyProblem } from './rules'

/** What the form draws. Everything else about a field comes from its JSON Schema. */
export type Widget = 'text' | 'secret' | 'number' | 'switch' | 'choice' | 'checks' | 'ref' | 'mac'

export type FieldMeta = {
  widget: Widget
  /** Key in locales/en/form.json `units`. */
  unit?: string
  /** Rule id of the specification. */
  rule?: string
  /** Kind that a `ref` points at. */
  kind?: string
}

// Strings judged by a predicate that names the problem: one issue, a message key of locales/en/errors.json.
const judged = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const message = problem(text)
    if (message) context.addIssue({ code: 'custom', message })
  })

const meta = <T extends z.ZodType>(type: T, data: FieldMeta): T => type.meta(data as Record<string, unknown>) as T

/**
 * The vocabulary of settings fields. A kind uses these and nothing of zod besides `.optional()` and `.default()`;
 * bounds and the rule's id stand here, once.
 */
export const f = {
  /** Rule W1. */
  ssidName: () => meta(judged(ssidProblem), { widget: 'text', rule: 'W1' }),
  /** Rule W2; what WPA3 asks beyond it is a rule of the kind, since it depends on the security. Stored sealed. */
  wpaKey: () => meta(judged(wpaKeyProblem), { widget: 'secret', rule: 'W2' }),
  /** Any text that must not be shown again. Stored sealed. */
  secret: (min: number, max: number, rule?: string) => meta(z.string().min(min).max(max), { widget: 'secret', rule }),
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
  choice: <const C extends readonly [string, ...string[]]>(choices: C) => meta(z.enum(choices), { widget: 'choice' }),
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
} as const
