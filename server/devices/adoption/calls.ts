import * as z from 'zod'
import { limits } from '@/model/limits'
import { openCredential } from '@/server/devices/link/credential-store'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { findGroup, rootGroup } from '@/server/networks/groups/groups'
import { adoptionOf, startAdoption, storedCredential } from './adoption-job'
import { mayReuse } from './credential-disclosure'
import { credentialInput, deviceAddress, devicePort, hostKeyFormat } from './credential-input'
import { defaultSegments, discoveryOf, startDiscovery, stopDiscovery } from './discovery'
import { sweepPlan } from './segments'

const editing = {
  tag: 'devices',
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
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
    /** Tried on what answers; without them no community is sent anywhere. */
    communities: z.array(z.string().min(1).max(64)).max(4).optional(),
  }),
  /** Starts a sweep (or joins the one that runs) and answers its number and size. */
  run({ runtime, network, actor }, input) {
    const plan = planSweep(runtime, input.segments)
    const { id, total } = startDiscovery(runtime, {
      ...plan,
      network: network.id,
      organization: actor.organization,
      communities: input.communities,
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
  run: ({ runtime }, input) => fleetOf(runtime).ask('fingerprint', input).catch(failDevice),
})

const target = z.strictObject({
  address: deviceAddress,
  port: devicePort.optional(),
  /** The fingerprint a person saw; SSH is not adopted without it. */
  hostKey: hostKeyFormat.optional(),
  name: z.string().trim().max(limits.deviceNameCharacters, 'tooLong').optional(),
  credentialId: z.int().min(1).optional(),
  credential: credentialInput.optional(),
})
type Target = z.output<typeof target>

/** Gives each device its login: its own, else the one for all. */
function withLogin(
  context: NetworkContext,
  one: Target,
  common: Pick<Target, 'credential' | 'credentialId'>,
  field: string,
) {
  const { credential, credentialId } = one.credential || one.credentialId ? one : common
  const { address, port, hostKey, name } = one
  if (credential) return { address, port, hostKey, name, credential }
  if (!credentialId) failFields({ [field]: 'required' })
  const row = storedCredential(context.runtime, context.network.id, credentialId)
  if (!row) return fail('credentialNotFound', { fields: { [field]: 'notFound' } })
  const stored = openCredential(context.runtime, row)
  if (!mayReuse(context.actor, stored)) failFields({ [field]: 'loginNotYours' })
  return { address, port, hostKey, name, credentialId, credential: stored }
}

function begin(
  context: NetworkContext,
  targets: Target[],
  common: Pick<Target, 'credential' | 'credentialId'>,
  groupId: number,
  field: (index: number) => string,
) {
  const group = groupId === rootGroup ? undefined : findGroup(context.runtime.db, context.network.id, groupId).id
  const requests = targets.map((one, index) => withLogin(context, one, common, field(index)))
  const { organization, networks } = context.actor
  const owner = { organization, networks, network: context.network.id, group }
  const id = startAdoption(
    context.runtime,
    owner,
    { account: context.actor.account, address: context.address },
    requests,
  )
  return { jobId: id }
}
const groupId = z.union([z.literal(rootGroup), z.int().min(1)]).default(rootGroup)

const adopt = call({
  ...editing,
  path: 'devices/adopt',
  changelog: 'elsewhere',
  send: 'once',
  input: z.strictObject({
    devices: z.array(target).min(1, 'required').max(limits.sweepAddresses),
    credentialId: z.int().min(1).optional(),
    credential: credentialInput.optional(),
    groupId,
  }),
  /** Adopts ticked devices in the background; `devices/adopt/result` tells how each goes. */
  run: (context, input) =>
    begin(context, input.devices, input, input.groupId, index =>
      input.devices[index]?.credentialId ? `devices.${index}.credentialId` : 'credential',
    ),
})

const adoptResult = call({
  ...reading,
  path: 'devices/adopt/result',
  input: z.strictObject({ jobId: z.uuid('notFound') }),
  run: ({ runtime, actor }, input) => adoptionOf(runtime, actor, input.jobId) ?? fail('jobNotFound'),
})

const add = call({
  ...editing,
  path: 'devices/add',
  changelog: 'elsewhere',
  send: 'once',
  input: z.strictObject({ ...target.shape, groupId }),
  /** One device by its address: the same as adopting a found one. */
  run: (context, { groupId: group, ...one }) => begin(context, [one], {}, group, () => 'credential'),
})

export const adoptCalls = [segments, discover, result, stop, fingerprint, adopt, adoptResult, add] as const
