import { limits } from '@/model/limits'
import { isWebAddress } from '@/model/rules'
import { certificateIn, pemsIn } from '@/server/kernel/certificates/read'
import { childrenOf, everyElement, names, readXml, textOf, type XmlElement } from './xml'

export type IdentityProvider = {
  entity: string
  signInUrl: string
  /** '' where the provider ends no sessions. */
  signOutUrl: string
  /** PEM, those that may sign. */
  certificates: string[]
}
export type MetadataProblem = 'samlMetadata' | 'samlProviders' | 'samlRedirect' | 'samlCertificate'

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const rsaBits = 2048

const isPlace = (text: string) => text.length <= limits.samlUrlCharacters && isWebAddress(text)

/** Where to send a browser by HTTP-Redirect, '' for nowhere. */
const locationOf = (role: XmlElement, service: string): string =>
  childrenOf(role, 'metadata', service)
    .filter(one => one.getAttribute('Binding') === redirect)
    .map(one => (one.getAttribute('Location') ?? '').trim())
    .find(isPlace) ?? ''

/** PEM of a certificate with an RSA key of 2,048 bits at least. */
function certificateOf(text: string | Buffer): string | undefined {
  const found = certificateIn(text)
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = found?.publicKey ?? {}
  return type === 'rsa' && (details?.modulusLength ?? 0) >= rsaBits ? found?.toString() : undefined
}

function certificatesOf(role: XmlElement): string[] {
  const found = childrenOf(role, 'metadata', 'KeyDescriptor')
    .filter(key => key.getAttribute('use') !== 'encryption')
    .flatMap(key => Array.from(key.getElementsByTagNameNS(names.signature, 'X509Certificate')))
    .map(one => certificateOf(Buffer.from(textOf(one), 'base64')))
  return [...new Set(found.filter(one => one !== undefined))].slice(0, limits.samlCertificates)
}

/** 1 to 8 certificates that may sign, and nothing else. */
export function areSigning(text: string): boolean {
  const found = pemsIn(text)
  const rest = found.reduce((left, pem) => left.replace(pem, ''), text)
  return (
    rest.trim() === '' &&
    found.length > 0 &&
    found.length <= limits.samlCertificates &&
    found.every(pem => certificateOf(pem) !== undefined)
  )
}

/** An identity provider's metadata (SAML 2.0 metadata, 2.4.3), or the key of what is wrong with it. */
export function readMetadata(text: string): IdentityProvider | MetadataProblem {
  const root = readXml(text, 'file')
  if (!root) return 'samlMetadata'
  const roles = [root, ...everyElement(root)].filter(
    one => one.localName === 'IDPSSODescriptor' && one.namespaceURI === names.metadata,
  )
  const [role] = roles
  if (!role || roles.length > 1) return role ? 'samlProviders' : 'samlMetadata'
  const owner = role.parentNode as XmlElement
  const entity = owner.localName === 'EntityDescriptor' ? (owner.getAttribute('entityID') ?? '').trim() : ''
  if (!entity || entity.length > limits.samlUrlCharacters) return 'samlMetadata'
  const signInUrl = locationOf(role, 'SingleSignOnService')
  if (!signInUrl) return 'samlRedirect'
  const certificates = certificatesOf(role)
  if (!certificates.length) return 'samlCertificate'
  return { entity, signInUrl, signOutUrl: locationOf(role, 'SingleLogoutService'), certificates }
}
