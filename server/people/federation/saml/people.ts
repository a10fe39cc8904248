import type { Somebody } from '../people'
import type { Proven } from './attempts'
import type { Provider } from './provider'

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** Whom a provider's answer means; its `account` is empty where nothing in it stays the same. */
export function somebody(provider: Provider, { attributes, nameId, nameIdFormat }: Proven): Somebody {
  const { organization, entity, accountAttribute, nameAttribute, emailAttribute, roleAttribute } = provider
  const firstOf = (name = ''): string => (name && attributes.get(name)?.[0]) || ''
  // A transient NameID is another one each time.
  const byId = nameIdFormat === transient ? '' : nameId
  const given = accountAttribute ? firstOf(accountAttribute) : byId
  return {
    ...{ organization, source: 'saml', account: given.toLowerCase(), subject: JSON.stringify([entity, given]) },
    names: [firstOf(nameAttribute)],
    email: firstOf(emailAttribute) || nameId,
    values: attributes.get(roleAttribute) ?? [],
  }
}
