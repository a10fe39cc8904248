import * as z from 'zod'
import { limits } from '@/model/limits'
import { openCredential } from '@/server/devices/link/credential-store'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import { notSelf } from '@/server/devices/link/managed-devices'
import type { Credential } from '@/server/drivers/driver'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { deviceName } from '@/server/kernel/shapes'
import { defaultGroup, findGroup, rootGroup } from '@/server/networks/groups/groups'
import { loginName } from './adopt'
import { adoptionOf, cancelAdoption, startAdoption, storedCredential } from './adoption-job'
import { mayReuse } from './credential-disclosure'
import { credentialInput, deviceAddress, devicePort, hostKeyFormat } from './credential-input'
import { defaultSegments, discoveryOf, startDiscovery, stopDiscovery } from './discovery'
import type { AdoptRequest, Login } from './examine'
import { sweepPlan } from './segments'

const editing = {
  tag: 'devices',
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  topics: ['devices'],
  changelog: 'looks',
  send: 'each',
} as const
const reading = { tag: 'devices', scope: 'network', authority: 'devices_edit', changes: false } as const
const segmentTexts = z.array(z.string().max(64)).min(1, 'required').max(32)

const segments = call({
  ...reading,
  path: 'devices/discover/segments',
  input: z.strictObject({}),
  /** What a sweep would cover if nothing else is named; shown before it starts. */
  run: ({ runtime }) => ({ result: defaultSegments(runtime), most: limits.sweepAddresses }),
})

/** Checks named segments, or takes the default ones. Refuses at the segment's field. */
export function planSweep(runtime: NetworkContext['runtime'], named: readonly string[] | undefined) {
  const texts = named ?? defaultSegments(runtime).map(segment => segment.cidr)
  const plan = sweepPlan(texts)
  if ('problem' in plan)
    failFields(
      { [`segments.${plan.index}`]: plan.problem },
      plan.problem === 'segmentTooLarge' ? 'segmentTooLarge' : 'segmentIllegal',
    )
  return { segments: plan.segments.map(segment => segment.cidr), addresses: plan.addresses }
}

const discover = call({
  ...editing,
  path: 'devices/discover',
  input: z.strictObject({
    segments: segmentTexts.optional(),
    /** Tried on what answers; without them, and without stored SNMP logins, none is sent anywhere. */
    communities: z.array(z.string().min(1).max(64)).max(limits.loginsInSweep).optional(),
    /** Stored SNMP logins to try on what answers, in this order. */
    credentialIds: z.array(z.int().min(1)).max(limits.loginsInSweep).optional(),
  }),
  /** Starts a sweep (or joins the one that runs) and answers its number and size. */
  run(context, input) {
    const { runtime, network, actor } = context
    const plan = planSweep(runtime, input.segments)
    const stored = (input.credentialIds ?? []).map(
      (id, at) => storedLogin(context, id, `credentialIds.${at}`).credential,
    )
    const { id, total } = startDiscovery(runtime, {
      ...plan,
      network: network.id,
      organization: actor.organization,
      logins: [
        ...(input.communities ?? []).map(community => ({ type: 'snmp2c' as const, community })),
        ...stored.filter(login => login.type !== 'ssh'),
      ],
    })
    return { id, total, segments: plan.segments }
  },
})

const result = call({
  ...reading,
  path: 'devices/discover/result',
  input: z.strictObject({}),
  /** The network's last sweep: state, done of total, found; state 'none' when there was none. */
  run: ({ runtime, network }) =>
    discoveryOf(runtime, network.id) ?? {
      id: '',
      network: network.id,
      state: 'none' as const,
      segments: [],
      startedAt: 0,
      done: 0,
      total: 0,
      found: [],
    },
})

const stop = call({
  ...editing,
  path: 'devices/discover/stop',
  input: z.strictObject({}),
  async run({ runtime, network }) {
    await stopDiscovery(runtime, network.id)
    return {}
  },
})

const fingerprint = call({
  ...editing,
  path: 'devices/fingerprint',
  input: z.strictObject({ address: deviceAddress, port: devicePort.default(22) }),
  /** Banner and host key of an SSH server, before any credential is sent. */
  run: ({ runtime, actor }, input) =>
    fleetOf(runtime)
      .ask('fingerprint', { ...input, ...notSelf(runtime, actor.organization) })
      .catch(failDevice),
})

const credentialId = z.int().min(1)
/** Several in turn: what devices refuse before no more is tried says login-tries.ts. */
export const loginsInput = z
  .array(z.union([z.strictObject({ credentialId }), z.strictObject({ credential: credentialInput })]))
  .min(1, 'required')
  .max(limits.loginsInTurn)

/** One login, or several that are tried in this order until one works. */
const givenLogins = {
  credentialId: credentialId.optional(),
  credential: credentialInput.optional(),
  logins: loginsInput.optional(),
}
const target = z.strictObject({
  address: deviceAddress,
  port: devicePort.optional(),
  /** The fingerprint a person saw; SSH is not adopted without it. */
  hostKey: hostKeyFormat.optional(),
  name: deviceName.optional(),
  ...givenLogins,
})
type Target = z.output<typeof target>
type Given = Partial<Pick<Target, keyof typeof givenLogins>>

/** A stored login of the network that the asker may bring to a device; else refused at the field. */
function storedLogin(context: NetworkContext, id: number, field: string): Login {
  const row = storedCredential(context.runtime, context.network.id, id)
  if (!row) return fail('credentialNotFound', { fields: { [field]: 'notFound' } })
  const credential = openCredential(context.runtime, row)
  if (!mayReuse(context.actor, credential)) failFields({ [field]: 'loginNotYours' })
  return { credential, credentialId: id, name: row.name }
}

const newLogin = (credential: Credential): Login => ({ credential, name: loginName(credential) })

/** What was given, in order; `field` leads to where it was. Empty where nothing was. */
export function loginsOf(context: NetworkContext, given: Given, field: string, single: string): Login[] {
  if (given.credential) return [newLogin(given.credential)]
  if (given.credentialId) return [storedLogin(context, given.credentialId, single)]
  return (given.logins ?? []).map((one, at) =>
    'credential' in one
      ? newLogin(one.credential)
      : storedLogin(context, one.credentialId, `${field}logins.${at}.credentialId`),
  )
}

/** Gives a device its logins: its own, else those for all. `own`: where its own stand in the input. */
function withLogins(context: NetworkContext, one: Target, common: Given, own: string): AdoptRequest {
  const { address, port, hostKey, name } = one
  const held = loginsOf(context, one, own, own ? `${own}credentialId` : 'credential')
  const logins = held.length > 0 ? held : loginsOf(context, common, '', 'credential')
  if (logins.length === 0) failFields({ credential: 'required' })
  return { address, port, hostKey, name, logins }
}

/** The group that is meant, or refuses; without one the network's default group, -1 is none. */
export function groupFor({ runtime: { db }, network }: NetworkContext, wanted: number | undefined): number | undefined {
  if (wanted === undefined) return defaultGroup(db, network.id) ?? undefined
  return wanted === rootGroup ? undefined : findGroup(db, network.id, wanted).id
}

function begin(
  context: NetworkContext,
  targets: Target[],
  common: Given,
  groupId: number | undefined,
  field: (index: number) => string,
) {
  const group = groupFor(context, groupId)
  const requests = targets.map((one, index) => withLogins(context, one, common, field(index)))
  const { organization, networks } = context.actor
  const owner = { organization, networks, network: context.network.id, group }
  const by = { account: context.actor.account, address: context.address }
  return { jobId: startAdoption(context.runtime, owner, by, requests) }
}
/** Where devices come; absent: into the network's default group, -1: into none. */
const groupId = z.union([z.literal(rootGroup), z.int().min(1)]).optional()

const adopt = call({
  ...editing,
  path: 'devices/adopt',
  changelog: 'elsewhere',
  send: 'once',
  input: z.strictObject({
    devices: z.array(target).min(1, 'required').max(limits.sweepAddresses),
    ...givenLogins,
    groupId,
  }),
  /** Adopts ticked devices in the background; `devices/adopt/result` tells how each goes. */
  run: (context, input) => begin(context, input.devices, input, input.groupId, index => `devices.${index}.`),
})

const adoptResult = call({
  ...reading,
  path: 'devices/adopt/result',
  input: z.strictObject({ jobId: z.uuid('notFound') }),
  run: ({ runtime, actor }, input) => adoptionOf(runtime, actor, input.jobId) ?? fail('jobNotFound'),
})

const adoptCancel = call({
  ...editing,
  path: 'devices/adopt/cancel',
  input: z.strictObject({ jobId: z.uuid('notFound') }),
  /** What was adopted by then stays adopted; the rest has failed as cancelled. */
  run: ({ runtime, actor }, input) => (cancelAdoption(runtime, actor, input.jobId) ? {} : fail('jobNotFound')),
})

const add = call({
  ...editing,
  path: 'devices/add',
  changelog: 'elsewhere',
  send: 'once',
  input: z.strictObject({ ...target.shape, groupId }),
  /** One device by its address: the same as adopting a found one. */
  run: (context, { groupId: group, ...one }) => begin(context, [one], {}, group, () => ''),
})

export const adoptCalls = [segments, discover, result, stop, fingerprint, adopt, adoptResult, adoptCancel, add] as const
