import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { sessions } from '@/db/schema'
import { limits } from '@/model/limits'
import { type BaseContext, call } from '@/server/kernel/call'
import { fail, isRefusal } from '@/server/kernel/fail'
import { limitRate } from '@/server/kernel/rate'
import { checkAnswer } from './answer'
import { samlAttempts } from './attempts'
import { ownKey } from './key'
import { libraryOf, ownEntity, type Provider, providerNamed, providerOfOrganization } from './provider'
import { ssoCookie, ssoPlace } from './sign-in'

/** Rule A2. */
const identifier = z
  .string()
  .max(limits.textCharacters, 'tooLong')
  .trim()
  .min(1, 'required')
  .max(limits.samlIdentifierCharacters, 'tooLong')
  .regex(/^[^\p{C}]*$/u, 'controlCharacters')

const asks = { most: 30, minutes: 10 } as const

function enabled(provider: Provider | undefined): Provider {
  return provider?.enabled ? provider : fail('ssoUnknown')
}

/** The browser has to be where the answer comes back to: cookies hold for one host. */
function checkHost({ request }: BaseContext, { baseUrl }: Provider): void {
  if (request.headers.get('host')?.toLowerCase() !== new URL(baseUrl).host) fail('ssoElsewhere', { url: baseUrl })
}

const redirect = call({
  path: 'sso/redirect',
  unheard: 'leaves',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  get: true,
  send: 'each',
  input: z.strictObject({ registrationId: identifier, to: z.string().max(1024, 'tooLong').default('') }),
  /** Where this browser is to go, which alone may come back with an answer. */
  async run(context, { registrationId, to }) {
    const { runtime, now } = context
    limitRate(context, 'sso', asks.most, asks.minutes)
    const provider = enabled(providerNamed(runtime.db, registrationId))
    checkHost(context, provider)
    const { relay, id, secret } = samlAttempts.of(runtime).begin(provider.organization, to, now)
    context.setCookie(ssoCookie, secret, { maxAgeSeconds: limits.samlMinutes * 60 })
    const library = await libraryOf(runtime, provider, id)
    return { url: await library.getAuthorizeUrlAsync(relay, undefined, {}) }
  },
})

const metadata = call({
  path: 'sso/metadata',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: false,
  get: true,
  input: z.strictObject({ registrationId: identifier }),
  /** This manager's own metadata for the provider, also before the sign-in is turned on. */
  async run({ runtime }, { registrationId }) {
    const provider = providerNamed(runtime.db, registrationId) ?? fail('ssoUnknown')
    const { certificate } = await ownKey(runtime, provider.organization)
    const library = await libraryOf(runtime, provider)
    const text = library.generateServiceProviderMetadata(null, certificate)
    return new Response(text, {
      headers: {
        'content-type': 'application/samlmetadata+xml; charset=utf-8',
        'content-disposition': 'attachment; filename="lanward-saml-metadata.xml"',
        'cache-control': 'no-store',
      },
    })
  },
})

/** What this try proved; refuses with one of the codes of ssoUnknown and those after it. */
async function proofOf({ runtime, now }: BaseContext, relay: string, answer: string) {
  const tries = samlAttempts.of(runtime)
  const entry = tries.find(relay, now) ?? fail('ssoNotBegun')
  if (entry.answered) fail('ssoReplayed')
  // Whoever began may come back with a few wrong ones; reading them costs.
  entry.seen += 1
  if (entry.seen > limits.samlAnswersPerTry) fail('ssoNotBegun')
  const provider = enabled(providerOfOrganization(runtime.db, entry.organization))
  const proven = await checkAnswer(runtime, provider, answer, { id: entry.id, now })
  // Two at once: the other one was first.
  if (entry.answered) fail('ssoReplayed')
  return { ticket: tries.answered(entry, proven), to: entry.to }
}

const acs = call({
  path: 'sso/acs',
  unheard: 'leaves',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  body: 'form',
  send: 'each',
  input: z.strictObject({
    SAMLResponse: z.string().min(1, 'required').max(limits.samlAnswerCharacters, 'tooLong'),
    RelayState: z.string().max(limits.textCharacters, 'tooLong').default(''),
  }),
  /**
   * The provider's page posts here, and the browser brings no cookie of ours along: it is sent on to the sign-in page with
   * a ticket that is good in the browser that began, or with the code of what is wrong.
   */
  async run(context, { SAMLResponse, RelayState }) {
    const query = await proofOf(context, RelayState, SAMLResponse).then(
      ({ ticket, to }) => ({ sso: ticket, ...(to && { to }) }),
      (error: unknown) => {
        if (!isRefusal(error)) throw error
        // What anybody can post without a try of their own fills no log.
        if (error.code !== 'ssoNotBegun') console.warn(`sign-in by an identity provider refused: ${error.code}`)
        return { ssoError: String(error.retCode) }
      },
    )
    const location = `/login?${new URLSearchParams(query)}`
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
  },
})

const kept = z.object({ nameId: z.string(), nameIdFormat: z.string(), sessionIndex: z.string() })

const logoutCheck = call({
  path: 'sso/logout/check',
  tag: 'signIn',
  authority: 'session',
  scope: 'organization',
  changes: false,
  input: z.strictObject({}),
  /** Whether an identity provider signed this session in, and where its own is ended ('' for nowhere): after `logout`. */
  async run({ runtime, actor }) {
    const row = runtime.db.select({ sso: sessions.sso }).from(sessions).where(eq(sessions.id, actor.session)).get()
    const provider = providerOfOrganization(runtime.db, actor.organization)
    if (!row?.sso) return { isSSO: false, url: '' }
    if (!provider?.signOutUrl) return { isSSO: true, url: '' }
    const { nameId, nameIdFormat, sessionIndex } = kept.parse(
      JSON.parse(runtime.secrets.open(row.sso, ssoPlace(actor.id))),
    )
    const person = { issuer: ownEntity(provider), nameID: nameId, nameIDFormat: nameIdFormat, sessionIndex }
    const library = await libraryOf(runtime, provider)
    return { isSSO: true, url: await library.getLogoutUrlAsync(person, '', {}) }
  },
})

export const ssoCalls = [redirect, metadata, acs, logoutCheck] as const
