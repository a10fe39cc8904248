import { desc, eq } from 'drizzle-orm'
import { accounts, changelog, sessions } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { ownKey } from '@/server/people/federation/saml/key'
import { areSigning, readMetadata } from '@/server/people/federation/saml/metadata'
import {
  type Answer,
  type Claims,
  type IdentityProvider,
  startIdentityProvider,
  type Twist,
} from '../_identity-provider'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { network, organization, person } from '../_people'

const claims = (nameId: string, groups: readonly string[], more: Claims['attributes'] = {}): Claims => ({
  nameId,
  attributes: { groups, ...more },
})

let manager: Manager
let admin: Browser
let idp: IdentityProvider
let house: number

const settings = {
  enabled: true,
  identifier: 'Harbour',
  baseUrl: 'https://lanward.test',
  accountAttribute: '',
  nameAttribute: 'displayName',
  emailAttribute: 'mail',
  roleAttribute: 'groups',
}

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  manager = await startTestManager()
  admin = await finishedWizard(manager)
  house = network(manager, 'Boat house')
  idp = await startIdentityProvider()
  expect((await admin.post('saml/save', { ...settings, metadata: idp.metadata })).retCode).toBe(0)
  for (const [value, role, networks] of [
    ['net-admins', 'networkAdministrator', [house]],
    ['watchers', 'platformReadOnly', []],
  ] as const)
    expect((await admin.post('saml/roles/save', { value, role, networks })).retCode).toBe(0)
  const own = await manager.browser().raw('sso/metadata?registrationId=harbour', { method: 'GET' })
  expect(own.headers.get('content-type')).toContain('application/samlmetadata+xml')
  idp.know(await own.text())
})
afterAll(async () => {
  await idp.stop()
  await manager.stop()
})

let guests = 0
/** Each from an address of its own: how often one may begin is counted by it. */
const guest = () => {
  guests += 1
  return manager.browser(`10.1.${guests >> 8}.${guests & 255}`)
}

const begin = async (browser: Browser, to = '') => {
  const answer = await browser.post('sso/redirect', { registrationId: ' harbour ', to })
  expect(answer.retCode).toBe(0)
  return answer.data.url as string
}

/** The provider's page posts: of another site, without a cookie. Returns the query of the page that is opened then. */
async function come(answer: Answer): Promise<URLSearchParams> {
  const response = await guest().raw('sso/acs', {
    method: 'POST',
    body: new URLSearchParams(answer).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-requested-with': '',
      origin: idp.origin,
    },
  })
  expect(response.status).toBe(303)
  const location = response.headers.get('location') ?? ''
  expect(location).toMatch(/^\/login\?/)
  expect(response.headers.getSetCookie()).toEqual([])
  return new URLSearchParams(location.slice('/login?'.length))
}

async function signIn(browser: Browser, to = '') {
  const query = await come(await idp.visit(await begin(browser, to)))
  expect(query.get('ssoError')).toBeNull()
  return { query, answer: await browser.post('login', { ssoToken: query.get('sso') }) }
}

const rowOf = (account: string) => manager.runtime.db.select().from(accounts).where(eq(accounts.account, account)).get()

describe('a person of the identity provider', () => {
  test('gets an account at the first sign-in, with the role and networks that the list gives', async () => {
    idp.signIn(
      claims('Ann@Example.com', ['staff', 'net-admins'], { displayName: ['Ann Marie'], mail: ['ann@example.com'] }),
    )
    const browser = guest()
    const { query, answer } = await signIn(browser, '/network/1/devices')
    expect(query.get('to')).toBe('/network/1/devices')
    expect(answer).toMatchObject({ retCode: 0, data: { isSSO: true, url: '' } })
    const list = (await admin.post('users/list', { search: 'ann@' })).data.result as object[]
    expect(list).toMatchObject([
      { account: 'ann@example.com', username: 'Ann Marie', role: 'networkAdministrator', networks: [{ id: house }] },
    ])
    const seen = (await browser.post('networks/list')).data.result as { id: number }[]
    expect(seen.map(one => one.id)).toEqual([house])
    expect(rowOf('ann@example.com')).toMatchObject({ source: 'saml', state: 'active', mfa: null })
    const entries = manager.runtime.db.select().from(changelog).orderBy(desc(changelog.id)).limit(2).all()
    expect(entries.map(one => [one.account, one.action])).toEqual([
      ['ann@example.com', 'signIn'],
      ['ann@example.com', 'add'],
    ])
  })

  test('is brought up to date at each, and sessions with other rights end', async () => {
    idp.signIn(claims('ben@example.com', ['net-admins'], { displayName: ['Ben One'] }))
    const [before, after] = [guest(), guest()]
    await signIn(before)
    idp.signIn(claims('ben@example.com', ['watchers'], { displayName: ['Ben Two'] }))
    await signIn(after)
    expect((await before.post('account/info')).status).toBe(401)
    expect((await after.post('account/info')).retCode).toBe(0)
    expect(rowOf('ben@example.com')).toMatchObject({ username: 'Ben Two', role: 'platformReadOnly' })
  })

  test('is asked for no second factor where everybody else needs one, and has no password', async () => {
    const security = (await admin.post('account/security/get')).data
    expect(security.withoutMfa).toBe(1)
    const { sessionTimeout, syncTimeouts, passwordNoticeDays } = security
    const save = (forceMfa: boolean) =>
      admin.post('account/security/save', { sessionTimeout, syncTimeouts, passwordNoticeDays, forceMfa })
    expect((await save(true)).retCode).toBe(0)
    idp.signIn(claims('cat@example.com', ['watchers']))
    const cat = guest()
    expect((await signIn(cat)).answer.retCode).toBe(0)
    // Not even a password that somehow came to be stored.
    const stored = rowOf(owner.account)?.password ?? ''
    manager.runtime.db.update(accounts).set({ password: stored }).where(eq(accounts.account, 'cat@example.com')).run()
    const right = { userName: 'cat@example.com', userPwd: passwordDigest(owner.password) }
    expect((await guest().post('login', right)).retCode).toBe(codes.wrongPassword)
    const other = { email: 'cat@elsewhere.example', password: owner.password }
    expect(await cat.post('account/email/save', other)).toMatchObject({
      retCode: codes.oldPasswordWrong,
      data: { fields: { password: 'samlAccount' } },
    })
    expect((await save(false)).retCode).toBe(0)
  })

  test('stays out where the account is disabled', async () => {
    idp.signIn(claims('dan@example.com', ['watchers']))
    await signIn(guest())
    const { id } = rowOf('dan@example.com') ?? { id: 0 }
    expect((await admin.post('users/disable', { id, disabled: true })).retCode).toBe(0)
    expect((await signIn(guest())).answer.retCode).toBe(codes.accountDisabled)
  })

  test.each<[string, Claims, Twist, number]>([
    ['no group that is known', claims('eve@example.com', ['staff']), {}, codes.ssoNoRole],
    ['the name of an account with a password', claims(owner.account, ['watchers']), {}, codes.ssoAccount],
    ['a name with a space', claims('eve example', ['watchers']), {}, codes.ssoAccount],
    ['a name of 65 characters', claims('e'.repeat(65), ['watchers']), {}, codes.ssoAccount],
    [
      'a name that is another one each time',
      claims('transient1', ['watchers']),
      { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
      codes.ssoAccount,
    ],
  ])('%s: refused, and nothing is made', async (_what, who, twist, code) => {
    const count = manager.runtime.db.select().from(accounts).all().length
    idp.signIn(who, { twist })
    expect((await signIn(guest())).answer.retCode).toBe(code)
    expect(manager.runtime.db.select().from(accounts).all()).toHaveLength(count)
  })

  test('ends the provider’s own session, too', async () => {
    idp.signIn(claims('fay@example.com', ['watchers']))
    const browser = guest()
    await signIn(browser)
    const { data } = await browser.post('sso/logout/check')
    const url = new URL(data.url as string)
    expect([data.isSSO, `${url.origin}${url.pathname}`]).toEqual([true, `${idp.origin}/slo`])
    expect([...url.searchParams.keys()]).toEqual(expect.arrayContaining(['SAMLRequest', 'SigAlg', 'Signature']))
    expect((await admin.post('sso/logout/check')).data).toEqual({ isSSO: false, url: '' })
    expect(JSON.stringify(manager.runtime.db.select().from(sessions).all())).not.toContain('fay@')
  })
})

describe('what binds an answer to the browser that asked', () => {
  beforeEach(() => idp.signIn(claims('gil@example.com', ['watchers'])))

  test('another browser’s ticket is worth nothing, and a ticket is good once', async () => {
    const browser = guest()
    const query = await come(await idp.visit(await begin(browser)))
    const other = guest()
    await begin(other)
    for (const one of [guest(), other])
      expect((await one.post('login', { ssoToken: query.get('sso') })).retCode).toBe(codes.ssoNotBegun)
    const cookie = browser.cookies.get('lanward.sso') ?? ''
    expect((await browser.post('login', { ssoToken: query.get('sso') })).retCode).toBe(0)
    browser.cookies.set('lanward.sso', cookie)
    expect((await browser.post('login', { ssoToken: query.get('sso') })).retCode).toBe(codes.ssoNotBegun)
  })

  test('an answer is taken once', async () => {
    const answer = await idp.visit(await begin(guest()))
    expect((await come(answer)).get('ssoError')).toBeNull()
    expect((await come(answer)).get('ssoError')).toBe(String(codes.ssoReplayed))
  })

  test('after five wrong answers the right one is not looked at', async () => {
    const answer = await idp.visit(await begin(guest()))
    const wrong = { ...answer, SAMLResponse: Buffer.from('hello').toString('base64') }
    for (let n = 0; n < 5; n += 1) expect((await come(wrong)).get('ssoError')).toBe(String(codes.ssoInvalid))
    expect((await come(answer)).get('ssoError')).toBe(String(codes.ssoNotBegun))
  })

  test('of two at once one is taken', async () => {
    const answer = await idp.visit(await begin(guest()))
    const both = await Promise.all([come(answer), come(answer)])
    expect(both.map(query => query.get('ssoError')).sort()).toEqual([String(codes.ssoReplayed), null].sort())
  })

  test('an answer to another request, to none, and one that took too long are refused', async () => {
    const [mine, theirs] = [await idp.visit(await begin(guest())), await begin(guest())]
    const other = await idp.visit(theirs)
    const mixed = await come({ ...mine, RelayState: other.RelayState })
    expect(mixed.get('ssoError')).toBe(String(codes.ssoNotBegun))
    expect((await come({ ...mine, RelayState: '' })).get('ssoError')).toBe(String(codes.ssoNotBegun))
    const late = Date.now() + limits.samlMinutes * 60_000 + 1
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => late)
    expect((await come(mine)).get('ssoError')).toBe(String(codes.ssoNotBegun))
    clock.mockRestore()
  })

  test('it is begun at the manager’s own address alone, under a name that is known, not endlessly', async () => {
    const browser = guest()
    const elsewhere = await browser.post('sso/redirect', { registrationId: 'harbour' }, { host: '10.0.0.1' })
    expect(elsewhere).toMatchObject({ retCode: codes.ssoElsewhere, data: { url: settings.baseUrl } })
    expect((await browser.post('sso/redirect', { registrationId: 'nobody' })).retCode).toBe(codes.ssoUnknown)
    // Rule A2: required, trimmed.
    for (const registrationId of ['', '   '])
      expect((await browser.post('sso/redirect', { registrationId })).data.fields).toEqual({
        registrationId: 'required',
      })
    const foreign = await browser.raw('sso/redirect?registrationId=harbour', {
      method: 'GET',
      headers: { 'x-requested-with': '' },
    })
    expect(foreign.status).toBe(403)
    const answers: number[] = []
    for (let n = 0; n < 30; n += 1)
      answers.push((await browser.post('sso/redirect', { registrationId: 'harbour' })).retCode)
    expect(answers.at(-1)).toBe(codes.rateLimited)
  })
})

describe('answers that are not as they should be', () => {
  const refused = async (code: number) => {
    const count = manager.runtime.db.select().from(accounts).all().length
    const query = await come(await idp.visit(await begin(guest())))
    expect([query.get('ssoError'), query.get('sso')]).toEqual([String(code), null])
    expect(manager.runtime.db.select().from(accounts).all()).toHaveLength(count)
  }
  const who = claims('mallory@example.com', ['watchers'])

  test.each<[string, Twist, number]>([
    ['another audience', { audience: 'https://elsewhere.test' }, codes.ssoNotForUs],
    ['another recipient', { recipient: 'https://elsewhere.test/app/sso/acs' }, codes.ssoNotForUs],
    ['another destination', { destination: 'https://elsewhere.test/app/sso/acs' }, codes.ssoNotForUs],
    ['another issuer', { issuer: 'https://elsewhere.test/metadata' }, codes.ssoNotForUs],
    ['another request', { inResponseTo: '_another' }, codes.ssoNotBegun],
    ['expired', { from: -10, until: -2 }, codes.ssoTime],
    ['not valid yet', { from: 3, until: 10 }, codes.ssoTime],
    ['declined', { status: 'Responder' }, codes.ssoDeclined],
    ['a comment in the name', { rawNameId: 'admin<!---->x' }, codes.ssoInvalid],
    ['an encrypted part', { extra: '<saml:EncryptedID/>' }, codes.ssoInvalid],
  ])('%s', async (_what, twist, code) => {
    idp.signIn(who, { twist })
    await refused(code)
  })

  test.each([
    ['a clock half a minute behind', { from: 0.5, until: 5 }],
    ['a clock half a minute ahead', { from: -5, until: -0.5 }],
  ])('%s is borne', async (_what, twist) => {
    idp.signIn(claims('hal@example.com', ['watchers']), { twist })
    expect((await signIn(guest())).answer.retCode).toBe(0)
  })

  test('signed with a key that is not known', async () => {
    idp.signIn(who)
    await idp.withForeignKey(() => refused(codes.ssoSignature))
  })

  const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/
  const cut = (xml: string, what: RegExp) => what.exec(xml)?.[0] ?? ''
  const unsigned = (xml: string) => xml.replace(signature, '')
  const forged = (xml: string) =>
    unsigned(xml)
      .replaceAll('mallory@', 'admin@')
      .replace(/(<saml:Assertion[^>]* ID=")[^"]*/, '$1_forged')
  const inside = (outer: string, inner: string) => outer.replace('</saml:Issuer>', () => `</saml:Issuer>${inner}`)
  const swap = (xml: string, made: (good: string, evil: string, sign: string) => string) =>
    xml.replace(assertion, good => made(good, forged(good), cut(good, signature)))
  const within = (sign: string, inner: string) => sign.replace('</ds:Signature>', () => `${inner}</ds:Signature>`)

  /** The whole answer is signed; a forged one is put around it. */
  const around = (xml: string, made: (evil: string, good: string, sign: string) => string) => {
    const sign = cut(xml.replace(assertion, ''), signature)
    const bare = xml.replace(sign, '').replace(/<\?xml[^>]*\?>/, '')
    const evil = bare.replace(/ ID="[^"]*"/, ' ID="_other"').replaceAll('mallory@', 'admin@')
    return made(evil, bare, sign)
  }

  test.each<[string, (xml: string) => string, boolean]>([
    ['1', xml => around(xml, (evil, good, sign) => inside(evil, within(sign, good))), true],
    ['2', xml => around(xml, (evil, good, sign) => inside(evil, good + sign)), true],
    ['3', xml => swap(xml, (good, evil) => evil + good), false],
    ['4', xml => swap(xml, (good, evil) => evil.replace('</saml:Assertion>', () => `${good}</saml:Assertion>`)), false],
    ['5', xml => swap(xml, (good, evil, sign) => inside(evil, sign) + unsigned(good)), false],
    ['6', xml => swap(xml, (good, evil, sign) => inside(evil, within(sign, unsigned(good)))), false],
    ['7', xml => swap(xml, (good, evil) => `<samlp:Extensions>${evil}</samlp:Extensions>${good}`), false],
    [
      '8',
      xml => swap(xml, (good, evil, sign) => inside(evil, within(sign, `<ds:Object>${unsigned(good)}</ds:Object>`))),
      false,
    ],
  ])('signature wrapping %s', async (_which, after, signAll) => {
    let sent = ''
    idp.signIn(who, { signAll, after: xml => (sent = after(xml)) })
    await refused(codes.ssoInvalid)
    expect(sent).toContain('admin@example.com')
    expect(sent).toContain('mallory@example.com')
  })

  const algorithm = (uri: string) => (xml: string) =>
    xml.replace(/(<ds:SignatureMethod Algorithm=")[^"]*/, (_all, start: string) => start + uri)
  const bomb = (xml: string) =>
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>${xml.replace('mallory', '&b;')}`
  const external = (xml: string) =>
    `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>${xml.replace('mallory', '&x;')}`

  test.each<[string, (xml: string) => string, number]>([
    ['a name changed after signing', xml => xml.replace('mallory@', 'admin@'), codes.ssoSignature],
    ['a group changed after signing', xml => xml.replace('watchers', 'net-admins'), codes.ssoSignature],
    ['no signature', unsigned, codes.ssoSignature],
    ['an algorithm none', algorithm('none'), codes.ssoSignature],
    ['HMAC', algorithm('http://www.w3.org/2000/09/xmldsig#hmac-sha1'), codes.ssoSignature],
    ['a comment put into the name', xml => xml.replace('mallory@', 'mallory@<!-- -->'), codes.ssoInvalid],
    ['entities', bomb, codes.ssoInvalid],
    ['an external entity', external, codes.ssoInvalid],
    ['no assertion', xml => xml.replace(assertion, ''), codes.ssoInvalid],
    ['no XML', () => 'hello', codes.ssoInvalid],
    ['nothing', () => ' ', codes.ssoInvalid],
    [
      'a thousand levels',
      xml => xml.replace('<saml:Assertion', () => `${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}<saml:Assertion`),
      codes.ssoInvalid,
    ],
  ])('%s', async (_what, after, code) => {
    idp.signIn(who, { after })
    await refused(code)
  })

  test('signed with SHA-1', async () => {
    let sent = ''
    idp.signIn(who, { sha1: true, after: xml => (sent = xml) })
    await refused(codes.ssoSignature)
    expect(sent).toContain('xmldsig#rsa-sha1')
  })

  test('only the signed answer of the whole is no signed assertion', async () => {
    const drop = (xml: string) => xml.replace(assertion, part => unsigned(part))
    idp.signIn(who, { signAll: true, after: drop })
    await refused(codes.ssoSignature)
  })

  test('both signed is as good', async () => {
    idp.signIn(claims('ivy@example.com', ['watchers']), { signAll: true })
    expect((await signIn(guest())).answer.retCode).toBe(0)
  })
})

describe('the settings', () => {
  const fields = async (change: object) => (await admin.post('saml/save', { ...settings, ...change })).data.fields

  test('what is known stays without new metadata, and is told', async () => {
    expect((await admin.post('saml/save', settings)).retCode).toBe(0)
    const { data } = await admin.post('saml/get')
    expect(data).toMatchObject({
      set: true,
      identifier: 'harbour',
      provider: { entity: `${idp.origin}/metadata`, signInUrl: `${idp.origin}/sso` },
      own: {
        answerUrl: 'https://lanward.test/app/sso/acs',
        metadata: '/app/sso/metadata?registrationId=harbour',
      },
    })
    expect(JSON.stringify(data)).not.toContain('PRIVATE KEY')
  })

  test.each<[object, object]>([
    [{ identifier: ' ' }, { identifier: 'required' }],
    [{ identifier: 'x'.repeat(65) }, { identifier: 'tooLong' }],
    [{ baseUrl: 'http://lanward.test' }, { baseUrl: 'httpsOnly' }],
    [{ baseUrl: 'https://lanward.test/app' }, { baseUrl: 'originOnly' }],
    [{ roleAttribute: '' }, { roleAttribute: 'required' }],
    [{ metadata: 'hello' }, { metadata: 'samlMetadata' }],
    [{ metadata: '<!DOCTYPE x><a/>' }, { metadata: 'samlMetadata' }],
  ])('%p', async (change, wanted) => {
    expect(await fields(change)).toEqual(wanted)
  })

  test('metadata without what is needed', () => {
    const { metadata } = idp
    expect(readMetadata(metadata)).toMatchObject({ entity: `${idp.origin}/metadata` })
    expect(readMetadata(metadata.replaceAll('HTTP-Redirect', 'SOAP'))).toBe('samlRedirect')
    expect(readMetadata(metadata.replaceAll('http://127', 'javascript:127'))).toBe('samlRedirect')
    expect(readMetadata(metadata.replaceAll('X509Certificate', 'X509Other'))).toBe('samlCertificate')
    const role = /<IDPSSODescriptor[\s\S]*<\/IDPSSODescriptor>/.exec(metadata)?.[0] ?? ''
    expect(readMetadata(metadata.replace(role, () => role + role))).toBe('samlProviders')
  })

  test('as own settings they show what is stored, are changed one by one, and an undo brings back what was', async () => {
    const { data } = await admin.post('settings/saml/get')
    expect(data.values).toMatchObject({
      enabled: true,
      entity: `${idp.origin}/metadata`,
      signInUrl: `${idp.origin}/sso`,
    })
    const save = (change: object, revision = data.revision) =>
      admin.post('settings/saml/save', { ...(data.values as object), ...change, revision })
    // What is read can be sent back as it is.
    const sent = await admin.post('settings/saml/save', data)
    expect([sent.retCode, sent.data.fields]).toEqual([0, undefined])
    data.revision = sent.data.revision
    expect((await save({ certificates: 'none' })).data.fields).toEqual({ certificates: 'samlCertificate' })
    expect((await save({ signInUrl: 'javascript:alert(1)' })).data.fields).toEqual({ signInUrl: 'urlFormat' })
    expect((await save({ roleAttribute: 'team' })).retCode).toBe(0)
    expect((await save({ roleAttribute: 'other' })).retCode).toBe(codes.staleRevision)
    const [entry] = manager.runtime.db.select().from(changelog).orderBy(desc(changelog.id)).limit(1).all()
    expect(entry).toMatchObject({ object: 'saml', action: 'edit' })
    expect((await admin.post('changelog/revert', { id: entry?.id })).retCode).toBe(0)
    expect((await admin.post('saml/get')).data).toMatchObject({ roleAttribute: 'groups' })
  })

  test('metadata are read without saving anything', async () => {
    const read = (metadata: string) => admin.post('saml/metadata/read', { metadata })
    const { data } = await read(idp.metadata)
    expect(data).toMatchObject({ entity: `${idp.origin}/metadata`, signInUrl: `${idp.origin}/sso` })
    expect(data.certificates).toMatch(/^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----$/)
    expect((await read('<a/>')).data.fields).toEqual({ metadata: 'samlMetadata' })
  })

  test('certificates: 1 to 8, each able to sign, and nothing else', () => {
    const { certificates } = readMetadata(idp.metadata) as { certificates: string[] }
    const [pem = ''] = certificates
    expect([areSigning(pem), areSigning(pem.repeat(8)), areSigning(pem.repeat(9))]).toEqual([true, true, false])
    expect([areSigning(''), areSigning(`${pem}x`), areSigning(pem.replace(/[A-Za-z]{9}/, ''))]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('two that ask at once for a key get the same one', async () => {
    const fresh = organization(manager, 'Fresh')
    const [one, other] = await Promise.all([ownKey(manager.runtime, fresh), ownKey(manager.runtime, fresh)])
    expect(one.key).toContain('PRIVATE KEY')
    expect(other).toEqual(one)
    expect(await ownKey(manager.runtime, fresh)).toEqual(one)
  })

  test('an identifier belongs to one organization', async () => {
    const far = organization(manager, 'Far away')
    const other = await person(manager, { role: 'superAdministrator', organization: far })
    const wanted = { ...settings, metadata: idp.metadata }
    expect((await other.post('saml/save', wanted)).data.fields).toEqual({ identifier: 'nameExists' })
    expect((await other.post('saml/get')).data).toEqual({ set: false })
  })

  test('turned off, nobody begins', async () => {
    expect((await admin.post('saml/save', { ...settings, enabled: false })).retCode).toBe(0)
    expect((await guest().post('sso/redirect', { registrationId: 'harbour' })).retCode).toBe(codes.ssoUnknown)
    expect((await admin.post('saml/save', settings)).retCode).toBe(0)
  })

  test('roles: never the super administrator’s, each value once, one in use is kept', async () => {
    const save = (body: object) => admin.post('saml/roles/save', body)
    expect((await save({ value: 'boss', role: 'superAdministrator' })).data.fields).toEqual({ role: 'aboveOwn' })
    expect((await save({ value: 'boss', role: 'custom:4711' })).data.fields).toEqual({ role: 'notFound' })
    expect((await save({ value: 'watchers', role: 'guestEditor' })).data.fields).toEqual({ value: 'nameExists' })
    expect((await save({ value: 'boss', role: 'guestEditor', networks: [4711] })).data.fields).toEqual({
      networks: 'notFound',
    })
    const role = (await admin.post('roles/save', { name: 'Desk', authorities: ['clients'] })).data.id as string
    const { id } = (await save({ value: 'desk', role, networks: [house] })).data
    const held = await admin.post('roles/delete', { id: role })
    expect(held).toMatchObject({ retCode: codes.roleInUse, data: { users: 'SAML: desk' } })
    const list = (await admin.post('saml/roles/list', { search: 'DESK' })).data
    expect(list).toMatchObject({ total: 1, result: [{ value: 'desk', roleName: 'Desk', networks: [{ id: house }] }] })
    expect((await admin.post('saml/roles/delete', { id })).retCode).toBe(0)
    expect((await admin.post('saml/roles/delete', { id })).retCode).toBe(codes.roleLineNotFound)
    expect((await admin.post('roles/delete', { id: role })).retCode).toBe(0)
  })
})
