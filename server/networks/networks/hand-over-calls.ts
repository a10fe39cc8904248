import * as z from 'zod'
import { limits } from '@/model/limits'
import { belongings } from '@/server/kernel/belonging'
import { call } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { wholeListInput } from '@/server/kernel/lists'
import { id, networkName } from '@/server/kernel/shapes'
import { changing, reading } from '@/server/networks/sharing/call-terms'
import { given, received, recipientInput, refuse, sidesListed } from '@/server/networks/sharing/calls'
import { contents, handOver } from '@/server/networks/sharing/hand-over'
import {
  endInvitation,
  findInvitation,
  invitationViews,
  logBoth,
  notifyBoth,
  openInvitations,
  toldOf,
} from '@/server/networks/sharing/invitations'
import { invite } from '@/server/networks/sharing/invite'
import { findNetwork, mayNetwork } from '@/server/people/access/access'
import { checkName } from './networks'

const start = call({
  ...changing,
  path: 'networks/transfer/start',
  topics: ['networks'],
  input: z.strictObject({ networkId: id, ...recipientInput }),
  /** Nothing goes over until the other accepts. */
  run(context, { networkId, ...to }) {
    const made = invite(context, networkId, to, 'transfer')
    notifyBoth(context, [context.actor.organization, made.organization])
    return { id: made.id }
  },
})

const list = call({
  ...reading,
  path: 'networks/transfer/list',
  input: z.strictObject(wholeListInput),
  /** `received`: offered to the asker's organization; `given`: by it, not yet accepted; `result`: one page of both. */
  run({ runtime: { db }, actor }, input) {
    const own = invitationViews(db).filter(one => one.kind === 'transfer' && one.owner === actor.organization)
    const sides = {
      received: openInvitations(db, actor)
        .filter(one => one.kind === 'transfer')
        .map(received),
      given: own.filter(one => mayNetwork(actor, one.network)).map(given),
    }
    return { ...sides, ...sidesListed(sides, input) }
  },
})

const confirm = call({
  ...changing,
  path: 'networks/transfer/confirm',
  topics: ['networks'],
  input: z.strictObject({
    networkId: id,
    /** What it is called from now on; else as it was (rule N1: unique in the organization). */
    networkName: networkName.optional(),
    refuseNetworkList: z.array(id).max(limits.networks, 'tooMany').default([]),
  }),
  run(context, input) {
    const { runtime, actor } = context
    if (input.refuseNetworkList.includes(input.networkId)) failFields({ refuseNetworkList: 'notAllowed' })
    const touched = runtime.db.transaction(tx => {
      const taken = findInvitation(tx, actor, input.networkId)
      if (taken.kind !== 'transfer') fail('networkNotOffered')
      const refused = refuse(context, tx, input.refuseNetworkList)
      const before = findNetwork(tx, { organization: taken.owner, networks: 'all' }, taken.network)
      const name = input.networkName ?? before.name
      checkName(tx, actor.organization, name)
      // While it is still the other's: both sides' entries name the network as each of them knows it.
      logBoth(context, tx, taken, { action: 'transfer', ...toldOf(tx, taken) })
      handOver(belongings.of(runtime), tx, before, { organization: actor.organization, name })
      return [taken, ...refused]
    })
    runtime.bus.emit({ topic: 'networkMoved', network: input.networkId })
    notifyBoth(context, [actor.organization, ...touched.map(one => one.owner)])
    return { networkId: input.networkId }
  },
})

const cancel = call({
  ...changing,
  path: 'networks/transfer/cancel',
  topics: ['networks'],
  input: z.strictObject({ networkId: id }),
  /** Takes the offer back, as long as it is not accepted. */
  run(context, input) {
    const { runtime, actor } = context
    const ended = runtime.db.transaction(tx => {
      const network = findNetwork(tx, actor, input.networkId)
      const open = invitationViews(tx).find(one => one.network === network.id && one.kind === 'transfer')
      if (!open) return fail('networkNotOffered')
      endInvitation(context, tx, open, 'cancelTransfer')
      return open
    })
    notifyBoth(context, [actor.organization, ended.organization])
    return {}
  },
})

const item = call({
  ...reading,
  path: 'networks/transfer/item',
  input: z.strictObject({ networkId: id }),
  /** What goes along with a network: to whoever hands it over, and to whoever is to have it. */
  run({ runtime: { db }, actor }, input) {
    const offered = openInvitations(db, actor).find(one => one.network === input.networkId && one.kind === 'transfer')
    const network = offered ? { id: offered.network, name: offered.name } : findNetwork(db, actor, input.networkId)
    return { networkId: network.id, networkName: network.name, ...contents(db, network.id) }
  },
})

export const handOverCalls = [start, list, confirm, cancel, item] as const
