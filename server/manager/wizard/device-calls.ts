import * as z from 'zod'
import { limits } from '@/model/limits'
import { loginName } from '@/server/devices/adoption/adopt'
import { planSweep } from '@/server/devices/adoption/calls'
import { credentialInput, deviceAddress, devicePort, hostKeyFormat } from '@/server/devices/adoption/credential-input'
import { defaultSegments, discoveryOf, startDiscovery, stopDiscovery } from '@/server/devices/adoption/discovery'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import { call } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import { requireWizard } from './access'
import {
  cancelWizardAdoption,
  dropDevice,
  requireAccount,
  startWizardAdoption,
  wizardAdoption,
  wizardNetwork,
} from './devices'

const open = { tag: 'setup', authority: 'open', scope: 'none' } as const

const segments = call({
  ...open,
  path: 'wizard/discover/segments',
  changes: false,
  input: z.strictObject({}),
  /** What a sweep would cover if nothing else is named; shown before it starts. */
  run(context) {
    requireWizard(context)
    return { result: defaultSegments(context.runtime), most: limits.sweepAddresses }
  },
})

const discover = call({
  ...open,
  path: 'wizard/discover',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: z.strictObject({ segments: z.array(z.string().max(64)).min(1, 'required').max(32).optional() }),
  run(context, input) {
    requireAccount(context)
    const plan = planSweep(context.runtime, input.segments)
    const { id, total } = startDiscovery(context.runtime, { ...plan, network: wizardNetwork })
    return { id, total, segments: plan.segments }
  },
})

const result = call({
  ...open,
  path: 'wizard/discover/result',
  changes: false,
  input: z.strictObject({}),
  /** How the sweep stands, and how each ticked device's adoption does. */
  run(context) {
    requireWizard(context)
    const found = discoveryOf(context.runtime, wizardNetwork)
    const none = { id: '', state: 'none' as const, segments: [], done: 0, total: 0, found: [] }
    return { ...(found ?? none), adoption: wizardAdoption(context.runtime) }
  },
})

const stop = call({
  ...open,
  path: 'wizard/discover/stop',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: z.strictObject({}),
  async run(context) {
    requireWizard(context)
    await stopDiscovery(context.runtime, wizardNetwork)
    return {}
  },
})

const fingerprint = call({
  ...open,
  path: 'wizard/fingerprint',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: z.strictObject({ address: deviceAddress, port: devicePort.default(22) }),
  /** Banner and host key of an SSH server, before any credential is sent. */
  run(context, input) {
    requireAccount(context)
    return fleetOf(context.runtime).ask('fingerprint', input).catch(failDevice)
  },
})

const adopt = call({
  ...open,
  path: 'wizard/adopt',
  unheard: 'leaves',
  changes: true,
  send: 'once',
  input: z.strictObject({
    devices: z
      .array(
        z.strictObject({
          address: deviceAddress,
          port: devicePort.optional(),
          /** The fingerprint a person saw; SSH is not adopted without it. */
          hostKey: hostKeyFormat.optional(),
          credential: credentialInput.optional(),
        }),
      )
      .min(1, 'required')
      .max(limits.sweepAddresses),
    /** For the devices that have none of their own: one, or several that are tried in turn. */
    credential: credentialInput.optional(),
    logins: z
      .array(z.strictObject({ credential: credentialInput }))
      .min(1, 'required')
      .max(limits.loginsInTurn)
      .optional(),
  }),
  /** Logs in to the ticked devices in the background and reads them; `wizard/discover/result` tells how each goes. */
  run(context, input) {
    requireAccount(context)
    const requests = input.devices.map(({ credential = input.credential, ...device }) => {
      const given = credential ? [{ credential }] : (input.logins ?? [])
      if (given.length === 0) return failFields({ credential: 'required' })
      return { ...device, logins: given.map(one => ({ ...one, name: loginName(one.credential) })) }
    })
    startWizardAdoption(context.runtime, requests)
    return { adoption: wizardAdoption(context.runtime) }
  },
})

const cancel = call({
  ...open,
  path: 'wizard/adopt/cancel',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: z.strictObject({}),
  run(context) {
    requireWizard(context)
    cancelWizardAdoption(context.runtime)
    return { adoption: wizardAdoption(context.runtime) }
  },
})

const drop = call({
  ...open,
  path: 'wizard/drop',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: z.strictObject({ address: deviceAddress }),
  run(context, input) {
    requireWizard(context)
    dropDevice(context.runtime, input.address)
    return { adoption: wizardAdoption(context.runtime) }
  },
})

export const wizardDeviceCalls = [segments, discover, result, stop, fingerprint, adopt, cancel, drop] as const
