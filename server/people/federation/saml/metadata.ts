import { X509Certificate } from 'node:crypto'
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
const mostCertificates = 8
const rsaBits = 2048
const urlCharacters = 1024

const isWebAddress = (text: string) =>
  text.length <= urlCharacters && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Where to send a browser by HTTP-Redirect, '' for nowhere. */
const locationOf = (role: XmlElement, service: string): string =>
  childrenOf(role, 'metadata', service)
    .filter(one => one.getAttribute('Binding') === redirect)
    .map(one => (one.getAttribute('Location') ?? '').trim())
    .find(isWebAddress) ?? ''

/** PEM of a certificate with an RSA key of 2,048 bits at least. */
function certificateOf(base64: string): string | undefined {
  try {
    const read = new X509Certificate(Buffer.from(base64, 'base64'))
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = read.publicKey
    return type === 'rsa' && (details?.modulusLength ?? 0) >= rsaBits ? read.toString() : undefined
  } catch {
    return undefined
  }
}

function certificatesOf(role: XmlElement): string[] {
  const found = childrenOf(role, 'metadata', 'KeyDescriptor')
    .filter(key => key.getAttribute('use') !== 'encryption')
    .flatMap(key => Array.from(key.getElementsByTagNameNS(names.signature, 'X509Certificate')))
    .map(one => certificateOf(textOf(one)))
  return [...new Set(found.filter(one => one !== undefined))].slice(0, mostCertificates)
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
  if (!entity || entity.length > urlCharacters) return 'samlMetadata'
  const signInUrl = locationOf(role, 'SingleSignOnService')
  if (!signInUrl) return 'samlRedirect'
  const certificates = certificatesOf(role)
  if (!certificates.length) return 'samlCertificate'
  return { entity, signInUrl, signOutUrl: locationOf(role, 'SingleLogoutService'), certificates }
}
