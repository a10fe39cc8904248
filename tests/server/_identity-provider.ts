// A real identity provider program on a socket of its own. What it signs can be changed before, what it sends afterwards.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as samlify from 'samlify'
import { generate } from 'selfsigned'

export type Claims = { nameId: string; attributes: Record<string, readonly string[]> }
/** What stands in the signed assertion, where it is not as it should be. */
export type Twist = Partial<
  Record<'issuer' | 'audience' | 'recipient' | 'destination' | 'inResponseTo' | 'status' | 'format', string> & {
    /** Minutes from now. */
    from: number
    until: number
    rawNameId: string
    extra: string
  }
>
type Change = { twist?: Twist; after?: (xml: string) => string; signAll?: boolean; sha1?: boolean }
export type Answer = { SAMLResponse: string; RelayState: string }

// The library asks for a validator of schemas; the requests' signatures are what is looked at here.
samlify.setSchemaValidator({ validate: async () => 'accepted' })

const iso = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const random = () => `_${crypto.randomUUID().replaceAll('-', '')}`

type Asked = { id: string; acs: string; audience: string }

function responseXml(entity: string, { nameId, attributes }: Claims, asked: Asked, twist: Twist): string {
  const { issuer = entity, audience = asked.audience, recipient = asked.acs, inResponseTo = asked.id } = twist
  const { destination = asked.acs, status = 'Success', from = -1, until = 5, extra = '' } = twist
  const format = twist.format ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
  const values = Object.entries(attributes).map(
    ([name, list]) =>
      `<saml:Attribute Name="${name}">${list.map(one => `<saml:AttributeValue>${escaped(one)}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  )
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${random()}" Version="2.0" IssueInstant="${iso(0)}" Destination="${escaped(destination)}" InResponseTo="${asked.id}">`,
    `<saml:Issuer>${entity}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>`,
    `<saml:Assertion ID="${random()}" Version="2.0" IssueInstant="${iso(0)}"><saml:Issuer>${issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${format}">${twist.rawNameId ?? escaped(nameId)}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${iso(until)}" Recipient="${escaped(recipient)}" InResponseTo="${inResponseTo}"/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${iso(from)}" NotOnOrAfter="${iso(until)}"><saml:AudienceRestriction><saml:Audience>${escaped(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${iso(0)}" SessionIndex="${random()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    `<saml:AttributeStatement>${values.join('')}</saml:AttributeStatement>${extra}</saml:Assertion></samlp:Response>`,
  ].join('')
}

const sha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const sha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
const newPair = () => generate([{ name: 'commonName', value: 'idp.test' }], { keySize: 2048, algorithm: 'sha256' })

/** `know` gives it the other side's metadata; `claims` is who signs in next. */
export async function startIdentityProvider() {
  const pair = await newPair()
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    if (url.startsWith('/slo?')) return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Goodbye</h1>')
    if (!url.startsWith('/sso?')) return response.writeHead(204).end()
    void answer(url).then(
      page => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
      error => response.writeHead(400).end(String(error)),
    )
  })
  // Who asks ends the connection: no question comes upon one that is being closed.
  server.keepAliveTimeout = 0
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = (privateKey: string, algorithm: string) => ({
    ...{ entityID: `${origin}/metadata`, privateKey, signingCert: pair.cert, wantAuthnRequestsSigned: true },
    requestSignatureAlgorithm: algorithm,
    singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${origin}/sso` }],
    singleLogoutService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${origin}/slo` }],
    loginResponseTemplate: { context: '<never/>', attributes: [] },
  })
  const made = (privateKey: string, algorithm = sha256) => samlify.IdentityProvider(settings(privateKey, algorithm))
  const state = {
    claims: { nameId: 'nobody', attributes: {} } as Claims,
    change: {} as Change,
    partner: '',
    idp: made(pair.private),
  }

  async function answer(url: string): Promise<string> {
    const query = new URL(url, origin).searchParams
    const partner = samlify.ServiceProvider({
      metadata: state.partner,
      wantMessageSigned: state.change.signAll ?? false,
    })
    const octetString = url.slice(url.indexOf('?') + 1).replace(/&Signature=.*$/, '')
    const asked = await state.idp.parseLoginRequest(partner, 'redirect', {
      query: Object.fromEntries(query),
      octetString,
    })
    const acs = partner.entityMeta.getAssertionConsumerService('post') as string
    const { id } = asked.extract.request ?? {}
    const about = { id: String(id), acs, audience: partner.entityMeta.getEntityID() }
    const context = responseXml(`${origin}/metadata`, state.claims, about, state.change.twist ?? {})
    const signer = state.change.sha1 ? made(pair.private, sha1) : state.idp
    const signed = await signer.createLoginResponse(
      partner,
      asked as never,
      'post',
      {},
      {
        customTagReplacement: () => ({ id: random(), context }),
      },
    )
    const xml = Buffer.from((signed as { context: string }).context, 'base64').toString()
    const sent = Buffer.from(state.change.after?.(xml) ?? xml).toString('base64')
    const fields = { SAMLResponse: sent, RelayState: query.get('RelayState') ?? '' }
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
    )
    return `<!doctype html><title>Identity provider</title><form method="post" action="${escaped(acs)}">${inputs.join('')}<button>Hand over</button></form>`
  }

  return {
    origin,
    certificate: pair.cert,
    metadata: state.idp.getMetadata(),
    know(metadata: string) {
      state.partner = metadata
    },
    signIn(claims: Claims, change: Change = {}) {
      state.claims = claims
      state.change = change
    },
    /** Signs with a key that nobody knows, under the certificate that is known. */
    async withForeignKey<T>(work: () => Promise<T>): Promise<T> {
      const own = state.idp
      state.idp = made((await newPair()).private)
      return work().finally(() => {
        state.idp = own
      })
    },
    /** What a browser gets there, as the fields of the form that it will post. */
    async visit(url: string): Promise<Answer> {
      const response = await fetch(url)
      const page = await response.text()
      if (!response.ok) throw new Error(page)
      const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
      return { SAMLResponse: field('SAMLResponse'), RelayState: field('RelayState') }
    },
    stop: () => new Promise<void>(done => server.close(() => done())),
  }
}
export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>
