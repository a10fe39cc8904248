import { limits } from '@/model/limits'
import { fail, isRefusal } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import type { Proven } from './attempts'
import { answerUrl, libraryOf, type Provider } from './provider'
import { childrenOf, everyElement, names, onlyChild, readXml, textOf, type XmlElement } from './xml'

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const mostElements = 5000
const textCharacters = 1024

/** RSA with SHA-2, its digests, and the canonical form without comments: what else a signature may name is refused. */
const algorithms = {
  SignatureMethod: /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#rsa-sha(256|384|512)$/,
  DigestMethod:
    /^http:\/\/www\.w3\.org\/2001\/04\/(xmlenc#sha256|xmlenc#sha512)$|^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#sha384$/,
  CanonicalizationMethod: /^http:\/\/www\.w3\.org\/2001\/10\/xml-exc-c14n#$/,
  Transform:
    /^http:\/\/www\.w3\.org\/2000\/09\/xmldsig#enveloped-signature$|^http:\/\/www\.w3\.org\/2001\/10\/xml-exc-c14n#$/,
} as const

const hasOne = <T>(list: readonly T[]) => list.length === 1
const idsOf = (element: XmlElement) =>
  ['ID', 'Id', 'id'].map(name => element.getAttribute(name)).filter(value => value !== null && value !== '')

/**
 * Is there exactly one assertion, where it belongs, and no second reading of what is signed? Signature wrapping needs an
 * element more, in another place, or of the same ID.
 */
function isPlain(root: XmlElement, every: readonly XmlElement[]): boolean {
  const called = (name: string) => every.filter(one => one.localName === name)
  const [assertion] = called('Assertion')
  const ids = [root, ...every].flatMap(idsOf)
  const signatures = called('Signature')
  const places = new Set(signatures.map(one => one.parentNode))
  return (
    hasOne(called('Assertion')) &&
    onlyChild(root, 'assertion', 'Assertion') === assertion &&
    ['Response', 'EncryptedAssertion', 'EncryptedID', 'Object', 'Advice'].every(name => !called(name).length) &&
    new Set(ids).size === ids.length &&
    places.size === signatures.length &&
    [...places].every(place => place === root || place === assertion)
  )
}

const knownAlgorithms = (every: readonly XmlElement[]) =>
  Object.entries(algorithms).every(([name, known]) =>
    every.filter(one => one.localName === name).every(one => known.test(one.getAttribute('Algorithm') ?? '')),
  )

/** What can be said of an answer before its signature is checked. */
function screen(root: XmlElement | undefined): void {
  if (root?.localName !== 'Response' || root.namespaceURI !== names.protocol) fail('ssoInvalid')
  const every = everyElement(root)
  if (every.length > mostElements) fail('ssoInvalid')
  const status = onlyChild(onlyChild(root, 'protocol', 'Status'), 'protocol', 'StatusCode')
  if (status?.getAttribute('Value') !== success) fail(status ? 'ssoDeclined' : 'ssoInvalid')
  if (!isPlain(root, every)) fail('ssoInvalid')
  if (!knownAlgorithms(every)) fail('ssoSignature')
}

const reasons = [
  [/signature/i, 'ssoSignature'],
  [/audience/i, 'ssoNotForUs'],
  [/expired|not yet valid|too old/i, 'ssoTime'],
] as const

/** The assertion's own bytes as the signature covers them. */
async function signedAssertion(runtime: Runtime, provider: Provider, answer: string): Promise<XmlElement> {
  try {
    const library = await libraryOf(runtime, provider)
    const { profile } = await library.validatePostResponseAsync({ SAMLResponse: answer })
    const read = readXml(profile?.getAssertionXml?.() ?? '', 'answer')
    return read?.localName === 'Assertion' && read.namespaceURI === names.assertion ? read : fail('ssoInvalid')
  } catch (error) {
    if (isRefusal(error)) throw error
    const text = String((error as Error).message)
    return fail(reasons.find(([words]) => words.test(text))?.[1] ?? 'ssoInvalid')
  }
}

const timeOf = (element: XmlElement, name: string): number | undefined =>
  element.hasAttribute(name) ? Date.parse(element.getAttribute(name) ?? '') : undefined

/** SAML 2.0 profiles, 4.1.4.2 and 4.1.4.3: made for this manager, for this request, and now. */
function checkBearer(subject: XmlElement, provider: Provider, id: string, now: number): void {
  const confirmations = childrenOf(subject, 'assertion', 'SubjectConfirmation')
  const [one] = confirmations.filter(each => each.getAttribute('Method') === bearer)
  const data = one && hasOne(confirmations) ? onlyChild(one, 'assertion', 'SubjectConfirmationData') : undefined
  if (!data) fail('ssoInvalid')
  if (data.getAttribute('Recipient') !== answerUrl(provider)) fail('ssoNotForUs')
  if (data.getAttribute('InResponseTo') !== id) fail('ssoNotBegun')
  const skew = limits.samlSkewSeconds * 1000
  const [from = 0, until = Number.NaN] = [timeOf(data, 'NotBefore'), timeOf(data, 'NotOnOrAfter')]
  if (!(from <= now + skew && until > now - skew)) fail('ssoTime')
}

/** What is written around the assertion is not signed; where it says something else, something is wrong. */
function checkAround(root: XmlElement, provider: Provider, id: string): void {
  const agrees = (name: string, wanted: string) => !root.hasAttribute(name) || root.getAttribute(name) === wanted
  const issuer = childrenOf(root, 'assertion', 'Issuer')
  if (!agrees('Destination', answerUrl(provider)) || issuer.some(one => textOf(one) !== provider.entity))
    fail('ssoNotForUs')
  if (!agrees('InResponseTo', id)) fail('ssoNotBegun')
}

function attributesOf(assertion: XmlElement): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const statement of childrenOf(assertion, 'assertion', 'AttributeStatement'))
    for (const attribute of childrenOf(statement, 'assertion', 'Attribute')) {
      const name = attribute.getAttribute('Name') ?? ''
      const values = childrenOf(attribute, 'assertion', 'AttributeValue').map(textOf)
      found.set(name, [...(found.get(name) ?? []), ...values.filter(value => value && value.length <= textCharacters)])
    }
  return found
}

/**
 * Who an identity provider's answer (base64 of a Response, HTTP-POST binding) says somebody is, as an answer to the request
 * `id`. Refuses with ssoDeclined, ssoInvalid, ssoSignature, ssoNotForUs, ssoTime, ssoNotBegun. Only what is signed is read.
 */
export async function checkAnswer(
  runtime: Runtime,
  provider: Provider,
  answer: string,
  { id, now }: { id: string; now: number },
): Promise<Proven> {
  const root = readXml(Buffer.from(answer, 'base64').toString('utf8'), 'answer')
  screen(root)
  const assertion = await signedAssertion(runtime, provider, answer)
  checkAround(root as XmlElement, provider, id)
  if (textOf(onlyChild(assertion, 'assertion', 'Issuer')) !== provider.entity) fail('ssoNotForUs')
  const subject = onlyChild(assertion, 'assertion', 'Subject')
  const nameId = subject && onlyChild(subject, 'assertion', 'NameID')
  if (!subject || !nameId || !textOf(nameId) || textOf(nameId).length > textCharacters) return fail('ssoInvalid')
  checkBearer(subject, provider, id, now)
  const [statement] = childrenOf(assertion, 'assertion', 'AuthnStatement')
  if (!statement) return fail('ssoInvalid')
  return {
    nameId: textOf(nameId),
    nameIdFormat: nameId.getAttribute('Format') ?? '',
    sessionIndex: statement.getAttribute('SessionIndex') ?? '',
    attributes: attributesOf(assertion),
  }
}
