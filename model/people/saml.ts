import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'

const attribute = () => f.name(limits.textCharacters)

const fields = z.strictObject({
  enabled: f.boolean().default(false),
  /** What people type on the sign-in page, without case (rule A2); one organization's alone. */
  identifier: f.name(limits.samlIdentifierCharacters),
  /** Where this manager is opened by who signs in so. */
  baseUrl: f.origin(),
  /** The identity provider's name for itself. */
  entity: f.name(limits.samlUrlCharacters),
  /** Where it takes requests by HTTP-Redirect, and where it ends sessions; '' where it ends none. */
  signInUrl: f.webAddress(limits.samlUrlCharacters),
  signOutUrl: f.webAddress(limits.samlUrlCharacters).optional(),
  /** Those that may sign, PEM, one after the other. */
  certificates: f.block(limits.samlCertificateCharacters),
  roleAttribute: attribute(),
  /** Missing: the NameID. */
  accountAttribute: attribute().optional(),
  nameAttribute: attribute().optional(),
  emailAttribute: attribute().optional(),
})
export type SamlSettings = z.output<typeof fields>

const isPrivateWay = (origin: string) =>
  /^https:/i.test(origin) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/i.test(origin)

/** The identity provider (SAML 2.0) by which an organization's people sign in. */
export const saml = single({
  id: 'saml',
  area: 'saml',
  scope: 'organization',
  title: 'identifier',
  fields,
  sections: [
    section('here', ['enabled', 'identifier', 'baseUrl']),
    section('provider', ['entity', 'signInUrl', 'signOutUrl', 'certificates']),
    section('attributes', [
      'roleAttribute',
      'accountAttribute',
      'nameAttribute',
      field('emailAttribute', { beside: true }),
    ]),
  ],
  // What comes back signs somebody in: it travels by https, or stays on this machine.
  rules: [rule<SamlSettings>('httpsOnly', 'baseUrl', v => isPrivateWay(v.baseUrl))],
})
