import * as z from 'zod'
import { limits } from '@/model/limits'
import { call } from '@/server/kernel/call'
import { id, networkName } from '@/server/kernel/shapes'
import { changing, reading } from '@/server/networks/sharing/call-terms'
import { cloneNetwork, exportNetwork, importNetwork } from './file'
import { fileShape } from './file-shape'
import { giveSsid } from './global-ssid'
import { tagsByNetwork } from './networks'

const passphrase = z.string().min(8, 'tooShort').max(128, 'tooLong').optional()

/** Copies groups, tags and settings into a new network; devices stay where they are. */
const clone = call({
  ...changing,
  path: 'networks/clone',
  topics: ['networks'],
  input: z.strictObject({ id, networkName }),
  async run(context, input) {
    const { runtime, actor } = context
    const tags = (tagsByNetwork(runtime.db, actor.organization).get(input.id) ?? []).map(tag => tag.tagId)
    const made = await cloneNetwork(context, input.id, { networkName: input.networkName, tags })
    context.runtime.bus.emit({ topic: 'networks', organization: context.actor.organization })
    return made
  },
})

/** A network's settings as one file. Secrets are in it only under a passphrase. */
const exportFile = call({
  ...reading,
  path: 'networks/export',
  topics: ['networks'],
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id, passphrase }),
  run: async (context, input) => ({ file: await exportNetwork(context, input.id, input.passphrase) }),
})

/** Makes a new network of such a file; what could not be taken over is named in `leftOut`. */
const importFile = call({
  ...changing,
  path: 'networks/import',
  topics: ['networks'],
  input: z.strictObject({ file: fileShape, networkName: networkName.optional(), passphrase }),
  async run(context, input) {
    const made = await importNetwork(context, input.file, input.networkName ?? input.file.name, input.passphrase)
    context.runtime.bus.emit({ topic: 'networks', organization: context.actor.organization })
    return made
  },
})

const globalSsid = call({
  tag: 'networks',
  scope: 'network',
  authority: 'settings_wifi_edit',
  changes: true,
  path: 'networks/global-ssid',
  topics: ['settings', 'networks'],
  changelog: 'entry',
  send: 'once',
  seconds: 300,
  /** `id`: a Wi-Fi network of this one; `networkIds`: own networks that get it, too. */
  input: z.strictObject({ id: z.uuid('notFound'), networkIds: z.array(id).min(1, 'required').max(limits.networks) }),
  /** {results: [{networkId, networkName, state: 'added' | 'changed' | 'refused', refusal}]}; each network for itself. */
  run: (context, input) => giveSsid(context, input.id, input.networkIds),
})

export const copyCalls = [clone, exportFile, importFile, globalSsid] as const
