import * as z from 'zod'
import { limits } from '@/model/limits'
import { startAdoption } from '@/server/devices/adoption/adoption-job'
import { groupFor, loginsInput, loginsOf } from '@/server/devices/adoption/calls'
import { readDeviceFile } from '@/server/devices/adoption/device-file'
import { call } from '@/server/kernel/call'
import { defaultGroup } from '@/server/networks/groups/groups'
import { ownNetworks } from '@/server/people/access/access'

/** What both imports take; rule N20: the file is required. */
const fileInput = {
  /** Text of the file. */
  file: z.string().min(1, 'required').max(limits.bodyBytes),
  /** Only looks at the file. */
  check: z.boolean().default(false),
  /**
   * Accept the host key that each SSH device shows now (trust on first use); without it a line needs its own
   * `hostKey`.
   */
  trustHostKeys: z.boolean().default(false),
}
const adopting = {
  authority: 'devices_edit',
  changes: true,
  changelog: 'elsewhere',
  send: 'each',
} as const

const importFile = call({
  ...adopting,
  scope: 'network',
  path: 'devices/import',
  topics: ['devices'],
  tag: 'devices',
  /** `groupId`: as `devices/adopt` has it; `logins`: for lines without any, tried in this order. */
  input: z.strictObject({ ...fileInput, groupId: z.int().optional(), logins: loginsInput.optional() }),
  /**
   * Nothing is adopted while a line is wrong: {errors: [{row, field, problem}]}. Otherwise {jobId} of the adoption, to
   * be followed by devices/adopt/result.
   */
  run(context, input) {
    const { runtime, actor, address, network } = context
    const common = loginsOf(context, input, '', 'credential')
    const { rows, errors, requests } = readDeviceFile(context, input.file, () => ({ network: network.id }), common)
    if (errors.length || input.check) return { rows, errors, jobId: '' }
    const { organization, networks } = actor
    const owner = { organization, networks, network: network.id, group: groupFor(context, input.groupId) }
    const by = { account: actor.account, address }
    return { rows, errors, jobId: startAdoption(runtime, owner, by, requests, input.trustHostKeys) }
  },
})

const importNetworks = call({
  ...adopting,
  scope: 'organization',
  path: 'networks/device-import',
  topics: ['devices', 'networks'],
  tag: 'networks',
  input: z.strictObject(fileInput),
  /**
   * A file of devices for several networks of one's own, each line's by its column `network`. As `devices/import`, with
   * an adoption for each network: {jobs: [{networkId, networkName, rows, jobId}]}. Devices come into the default groups.
   */
  run(context, input) {
    const { runtime, actor, address } = context
    const own = ownNetworks(runtime.db, actor)
    const byName = new Map(own.map(network => [network.name.toLowerCase(), network.id]))
    const { rows, errors, requests } = readDeviceFile(context, input.file, ({ network }) => {
      if (network === undefined) return { problem: 'required' }
      const found = byName.get(network.toLowerCase())
      return found === undefined ? { problem: 'notFound' } : { network: found }
    })
    if (errors.length || input.check) return { rows, errors, jobs: [] }
    const { organization, networks } = actor
    const by = { account: actor.account, address }
    const jobs = own.flatMap(({ id, name }) => {
      const mine = requests.filter(one => one.network === id)
      if (!mine.length) return []
      const owner = { organization, networks, network: id, group: defaultGroup(runtime.db, id) ?? undefined }
      const jobId = startAdoption(runtime, owner, by, mine, input.trustHostKeys)
      return [{ networkId: id, networkName: name, rows: mine.length, jobId }]
    })
    return { rows, errors, jobs }
  },
})

export const fileCalls = [importFile, importNetworks] as const
