import { guestMethods } from '@/model/guests/methods'
import type { PortalFields } from '@/model/profiles/portal'
import { notSelf } from '@/server/devices/link/managed-devices'
import { addressFor } from '@/server/drivers/own-address'
import { askRadius, type Echo, type Granted } from '@/server/guests/radius/client'
import type { Accounted } from '@/server/guests/sessions/accounting'
import { findRadius, type Place } from '@/server/guests/sessions/place'
import { withinRate } from '@/server/kernel/rate'
import { inTurn } from '@/server/people/federation/ldap/ask'
import { type Directory, wholeDirectory } from '@/server/people/federation/ldap/directory'
import { directoryReason, provenPerson } from '@/server/people/federation/ldap/people'
import { type Attempt, byPolicy, type Outcome, rates, refuse, wrongAt } from './attempt'
import { countWrongName, guessing, isLocked, isNameLocked } from './tries'

// By a name and a password that somebody else knows: a RADIUS server, a directory.

export const loginFields = {
  radius: { name: 'radiusName', password: 'radiusPassword' },
  directory: { name: 'directoryName', password: 'directoryPassword' },
} as const
type LoginMethod = keyof typeof loginFields
type Known = { granted: Granted; accounted?: Accounted } | 'refused' | 'silent'
type Asked = { name: string; password: string }

/** Once a minute: else whoever tries fills the log. */
function log({ runtime, place, now }: Attempt, what: string): void {
  if (withinRate(runtime, `guest login ${place.network} failed`, 1, 60_000, now))
    console.warn(`guests of network ${place.network}: ${what}`)
}

async function byRadiusServer(attempt: Attempt, asked: Asked): Promise<Known> {
  const { runtime, place, device } = attempt
  const radius = await findRadius(runtime, place)
  const proof = place.policy.radiusMethod
  const known = radius ? await askRadius(radius, { ...asked, ...device, proof }) : 'silent'
  if (known === 'silent') log(attempt, `the RADIUS server ${radius?.server ?? ''} does not answer`)
  if (typeof known === 'string') return known
  const accounted = radius?.accounting ? accountedBy(place, asked, known.echo) : undefined
  return { granted: known.granted, ...(accounted && { accounted }) }
}

const accountedBy = ({ policy }: Place, { name }: Asked, echo: Echo | undefined): Accounted => ({
  ...{ radius: policy.radius ?? '', name: echo?.name ?? name, classes: echo?.classes ?? [] },
})

const enabledUsers = '(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2))'
const sorts = {
  ldap: { attribute: 'uid', filter: '' },
  activeDirectory: { attribute: 'sAMAccountName', filter: enabledUsers },
} as const

/** The portal's directory, as those of people are asked. */
function directoryOf(policy: PortalFields): Directory {
  const { attribute, filter } = sorts[policy.directoryType]
  return wholeDirectory({
    ...{ enabled: true, host: policy.directoryHost ?? '', port: policy.directoryPort, ca: policy.directoryCa ?? '' },
    ...{ security: policy.directorySecurity, base: policy.directoryBase ?? '', bindDn: policy.directoryAdmin ?? '' },
    ...(policy.directorySecret && { bindPassword: policy.directorySecret }),
    filter: `(&(${attribute}={name})${filter}${policy.directoryCondition ?? ''})`,
    ...{ accountAttribute: attribute, groupFilter: '', groupBase: '' },
  })
}

async function byDirectoryServer(attempt: Attempt, { name, password }: Asked): Promise<Known> {
  const { runtime, place } = attempt
  const directory = directoryOf(place.policy)
  try {
    // Nothing of what it says is passed on; that somebody is there would be.
    const address = await addressFor({ address: directory.host, ...notSelf(runtime, place.organization) })
    return (await provenPerson({ ...directory, address }, name, password)) ? { granted: {} } : 'refused'
  } catch (error) {
    log(attempt, `the directory does not answer: ${directoryReason(error, directory)}`)
    return 'silent'
  }
}

const servers: Record<LoginMethod, (attempt: Attempt, asked: Asked) => Promise<Known>> = {
  radius: byRadiusServer,
  directory: byDirectoryServer,
}

const wait = ({ speech }: Attempt) => wrongAt('', speech.say('errors.locked', { minutes: guessing.minutes }))

function letIn(attempt: Attempt, method: LoginMethod, name: string, known: Exclude<Known, string>): Outcome {
  const { granted, accounted } = known
  const { seconds, idleSeconds, bytes, download, upload } = granted
  return byPolicy(attempt, method, {
    ...{ method: guestMethods[method], label: name, ...rates(attempt.place, download, upload) },
    ...(seconds !== undefined && { seconds }),
    ...(idleSeconds !== undefined && { idleSeconds }),
    ...(bytes !== undefined && { bytes }),
    ...(accounted && { accounted }),
  })
}

async function judged(attempt: Attempt, method: LoginMethod, asked: Asked): Promise<Outcome> {
  const { runtime, place, device, speech, now } = attempt
  const { say } = speech
  // Guesses that came meanwhile meet the lock that those before them closed.
  if (isLocked(runtime, place, device, now) || isNameLocked(runtime, place, asked.name, now)) return wait(attempt)
  const known = await servers[method](attempt, asked)
  if (typeof known === 'object') return letIn(attempt, method, asked.name, known)
  if (known === 'refused') countWrongName(runtime, place, asked.name, now)
  refuse(attempt, method, known === 'refused' ? 'wrongLogin' : 'loginSilent', known === 'refused')
  return known === 'refused'
    ? wrongAt(loginFields[method].password, say('errors.loginWrong'))
    : wrongAt('', say('errors.loginSilent'))
}

/** Sign-in by name and password; guesses at one name come one after the other, whoever makes them. */
export function byLogin(method: LoginMethod): (attempt: Attempt) => Outcome | Promise<Outcome> {
  const fields = loginFields[method]
  return attempt => {
    const { place, sent, speech } = attempt
    const asked = { name: sent.text(fields.name).trim(), password: sent.text(fields.password) }
    const missing = [
      ...(asked.name ? [] : [{ field: fields.name, text: speech.say('errors.nameMissing') }]),
      ...(asked.password ? [] : [{ field: fields.password, text: speech.say('errors.passwordMissing') }]),
    ]
    if (missing.length > 0) return { wrong: missing }
    return inTurn(`guest ${place.network} ${asked.name.toLowerCase()}`, () => judged(attempt, method, asked))
  }
}
