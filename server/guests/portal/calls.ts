import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { documents, networks, refs } from '@/db/schema'
import { parseFields, wrongFields } from '@/model/field-errors'
import { locales } from '@/model/locales'
import { type PortalFields, portal } from '@/model/profiles/portal'
import { splash as kind, type SplashFields } from '@/model/profiles/splash'
import { factsOf, fileOf } from '@/server/guests/media/store'
import { call } from '@/server/kernel/call'
import { isDamaged, openRow } from '@/server/kernel/documents'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { adCalls } from './ad-calls'
import { announcedCalls } from './announced-call'
import { blockCalls } from './block-calls'
import { guestDocumentCalls } from './document-calls'
import { entryPage } from './entry-page'
import { splashFor, termsFor } from './splash'
import { speechOf, visitorLocale } from './words'

type Policy = Pick<PortalFields, 'methods' | 'questions' | 'terms'>
/** Shown while no portal refers to the page. */
const sample: Policy = { methods: ['voucher', 'free'], questions: [] }

/** A portal that refers to this splash page. */
function policyOf({ db, secrets }: Runtime, network: number, id: string | undefined): Policy {
  if (id === undefined) return sample
  const own = and(
    eq(refs.to, id),
    eq(refs.field, 'splash'),
    eq(documents.scopeId, network),
    eq(documents.kind, 'portal'),
  )
  const row = db
    .select({ row: documents })
    .from(refs)
    .innerJoin(documents, eq(documents.id, refs.from))
    .where(own)
    .get()
  const found = row && openRow(secrets, portal, row.row)
  return found && !isDamaged(found) ? (found.data as PortalFields) : sample
}

const dark = '@media (prefers-color-scheme:dark)'
/** The page in one of its two schemes, whatever the reader's own is. */
const inScheme = (page: string, scheme: 'light' | 'dark') =>
  page
    .replaceAll(dark, scheme === 'dark' ? '@media all' : '@media not all')
    .replace('color-scheme:light dark', `color-scheme:${scheme}`)

/**
 * A splash page that is not finished: it needs no name, a text whose language is not chosen yet is shown all the same, and
 * what is wrong is as if it were not there.
 */
function drawable(given: Record<string, unknown>): SplashFields {
  const { texts } = given
  const rows = Array.isArray(texts) ? texts.map(one => ({ language: locales[0], ...one })) : []
  const whole = { ...given, name: kind.id, texts: rows }
  const parsed = parseFields(kind.fields, whole)
  if ('data' in parsed) return parsed.data as SplashFields
  const wrong = wrongFields(parsed.fields)
  const rest = Object.entries(whole).filter(([key]) => !wrong.has(key))
  const found = parseFields(kind.fields, Object.fromEntries(rest))
  return 'data' in found ? (found.data as SplashFields) : fail('invalidInput', found)
}

const preview = call({
  scope: 'network',
  authority: 'settings_profiles',
  changes: false,
  tag: 'guests',
  path: 'guests/page/preview',
  input: z.strictObject({
    id: z.uuid('notFound').optional(),
    splash: z.record(z.string(), z.unknown()),
    scheme: z.enum(['light', 'dark']).default('light'),
    language: z.enum(locales).optional(),
  }),
  /** The sign-in page as guests would see it, as one HTML document; what is wrong is left out of it. Nothing is saved. */
  async run({ runtime, network }, { id, splash: given, scheme, language }) {
    const fields = drawable(given)
    const policy = policyOf(runtime, network.id, id)
    const accept = language ?? fields.texts[0]?.language ?? 'en'
    // The frame that shows it is of no origin: what it loads comes along.
    const addressOf = (one: string) => {
      const file = factsOf(runtime, network.id, one) && fileOf(runtime, one)
      return file?.type.startsWith('image/') ? `data:${file.type};base64,${file.data.toString('base64')}` : undefined
    }
    const shown = splashFor(fields, accept, addressOf)
    const speech = await speechOf(visitorLocale(accept, undefined), network.timezone)
    const house = runtime.db.select({ name: networks.name }).from(networks).where(eq(networks.id, network.id)).get()
    const page = entryPage({
      ...{ speech, house: house?.name ?? '', splash: shown, policy, proof: {} },
      terms: termsFor(policy.terms, fields, shown),
    })
    return { page: inScheme(page, scheme) }
  },
})

export const portalCalls = [preview, ...guestDocumentCalls, ...adCalls, ...announcedCalls, ...blockCalls] as const
