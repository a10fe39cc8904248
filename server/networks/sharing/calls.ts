import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { networkOffers } from '@/db/schema'
import { shareAccesses } from '@/model/authority'
import { limits } from '@/model/limits'
import { call, type Logging, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { id, signInName } from '@/server/kernel/shapes'
import { mayNetwork, ownNetworks } from '@/server/people/access/access'
import { associatedWith } from './associations'
import { changing, reading } from './call-terms'
import {
  endInvitation,
  findInvitation,
  type InvitationView,
  invitationViews,
  logBoth,
  mayAccept,
  notifyBoth,
  openInvitations,
  problemOf,
  toldOf,
} from './invitations'
import { invite } from './invite'

/** Rule S10: at least one. */
const some = z.array(id).min(1, 'required').max(limits.networks, 'tooMany')
const rest = z.array(id).max(limits.networks, 'tooMany').default([])

/** What an organization gets: the sender's account and company. */
export const received = (one: InvitationView) => ({
  networkId: one.network,
  networkName: one.name,
  accountName: one.by,
  company: one.from,
  kind: one.kind,
  at: one.createdAt,
  /** Of a network that is handed over: what asks for its menu and its places before it is taken. */
  ...(one.kind === 'transfer' && { transferKey: String(one.id) }),
})
/** What an organization gives. */
export const given = (one: InvitationView) => ({
  id: one.id,
  networkId: one.network,
  networkName: one.name,
  accountName: one.recipient,
  company: one.to,
  kind: one.kind,
  accepted: one.accepted,
  at: one.createdAt,
})

const options = call({
  ...reading,
  path: 'networks/share/options',
  input: z.strictObject({}),
  /**
   * Own networks, and what keeps each from being shared or handed over (a code's name; '' nothing); `companies`: those
   * that the asker's organization is associated with.
   */
  run({ runtime: { db }, actor }) {
    const result = ownNetworks(db, actor).map(network => ({
      value: network.id,
      label: network.name,
      share: problemOf(db, network, 'read') ?? '',
      transfer: problemOf(db, network, 'transfer') ?? '',
    }))
    return { result, total: result.length, access: shareAccesses, companies: associatedWith(db, actor.organization) }
  },
})

/** To whom: `account` by its name, or the associated organization `companyId`. */
export const recipientInput = { account: signInName.optional(), companyId: id.optional() }

const add = call({
  ...changing,
  path: 'networks/share/add',
  topics: ['networks'],
  send: 'once',
  input: z.strictObject({ networkId: id, ...recipientInput, access: z.enum(shareAccesses).default('read') }),
  run(context, { networkId, access, ...to }) {
    const made = invite(context, networkId, to, access)
    notifyBoth(context, [context.actor.organization, made.organization])
    return { id: made.id }
  },
})

const list = call({
  ...reading,
  path: 'networks/share/list',
  input: z.strictObject({ networkId: id.optional(), ...wholeListInput }),
  /**
   * `received`: of any kind, waits for an answer of the asker; `joined`: shared with their organization; `given`: by it;
   * `result`: one page of all three, each with its `side`.
   */
  run({ runtime: { db }, actor }, input) {
    const all = invitationViews(db).filter(one => input.networkId === undefined || one.network === input.networkId)
    const shares = all.filter(one => one.kind !== 'transfer')
    const mine = (one: InvitationView) => mayNetwork(actor, one.network)
    const sides = {
      received: openInvitations(db, actor)
        .filter(one => all.some(other => other.id === one.id))
        .map(received),
      joined: shares.filter(one => one.accepted && one.organization === actor.organization && mine(one)).map(received),
      given: shares.filter(one => one.owner === actor.organization && mine(one)).map(given),
    }
    return { ...sides, ...sidesListed(sides, input) }
  },
})

type WholeList = z.output<z.ZodObject<typeof wholeListInput>>
type Sides = Readonly<
  Record<'received' | 'joined' | 'given', readonly (ReturnType<typeof received> | ReturnType<typeof given>)[]>
>

/** All sides in one list, each with its side, to page through; `sides` stand beside it whole. */
export const sidesListed = (sides: Partial<Sides>, input: WholeList) =>
  listed(
    Object.entries(sides).flatMap(([side, ones = []]) => ones.map(one => ({ ...one, side }))),
    input,
    {
      text: one => [one.networkName, one.company],
      sort: {
        networkName: one => one.networkName,
        company: one => one.company,
        kind: one => one.kind,
        side: one => one.side,
        at: one => one.at,
      },
    },
  )

/** Ends offers of any kind that wait for the asker's answer. */
export function refuse(context: OrganizationContext & Logging, tx: Db, networks: readonly number[]): InvitationView[] {
  return [...new Set(networks)].map(network => {
    const refused = findInvitation(tx, context.actor, network)
    endInvitation(context, tx, refused, 'refuse')
    return refused
  })
}

function acceptOne(context: OrganizationContext & Logging, tx: Db, network: number): InvitationView {
  const found = findInvitation(tx, context.actor, network)
  if (found.kind === 'transfer') fail('networkNotOffered')
  tx.update(networkOffers).set({ accepted: true }).where(eq(networkOffers.id, found.id)).run()
  logBoth(context, tx, found, { action: 'accept', ...toldOf(tx, found) })
  return found
}

const tellAll = (context: OrganizationContext, offers: readonly InvitationView[]) =>
  notifyBoth(context, [context.actor.organization, ...offers.map(one => one.owner)])

const accept = call({
  ...changing,
  path: 'networks/share/accept',
  topics: ['networks'],
  input: z.strictObject({ networkIds: some, refuseNetworkList: rest }),
  /** Takes the ones and refuses the others, all or nothing. */
  run(context, input) {
    if (input.networkIds.some(one => input.refuseNetworkList.includes(one)))
      failFields({ refuseNetworkList: 'notAllowed' })
    const done = context.runtime.db.transaction(tx => {
      const accepted = [...new Set(input.networkIds)].map(network => acceptOne(context, tx, network))
      return [...accepted, ...refuse(context, tx, input.refuseNetworkList)]
    })
    tellAll(context, done)
    return { accepted: new Set(input.networkIds).size }
  },
})

const reject = call({
  ...changing,
  path: 'networks/share/reject',
  topics: ['networks'],
  input: z.strictObject({ networkIds: some }),
  /** Also of what is offered for good. */
  run(context, input) {
    tellAll(
      context,
      context.runtime.db.transaction(tx => refuse(context, tx, input.networkIds)),
    )
    return {}
  },
})

const giveBack = call({
  ...changing,
  path: 'networks/share/return',
  topics: ['networks'],
  input: z.strictObject({ networkId: id }),
  /** The organization that a network is shared with wants it no longer. */
  run(context, input) {
    const { actor, runtime } = context
    const found = runtime.db.transaction(tx => {
      const joined = invitationViews(tx).find(
        one => one.network === input.networkId && one.organization === actor.organization && one.accepted,
      )
      if (!joined || !mayAccept(actor)) return fail('networkNotOffered')
      endInvitation(context, tx, joined, 'giveBack')
      return joined
    })
    tellAll(context, [found])
    return {}
  },
})

/** A share, or the offer of one, that the asker's organization gives; or refuses. */
function findGiven({ actor }: OrganizationContext, tx: Db, offerId: number): InvitationView {
  const shares = invitationViews(tx).filter(one => one.kind !== 'transfer' && one.owner === actor.organization)
  return shares.find(one => one.id === offerId && mayNetwork(actor, one.network)) ?? fail('networkNotOffered')
}

const edit = call({
  ...changing,
  path: 'networks/share/edit',
  topics: ['networks'],
  input: z.strictObject({ id, access: z.enum(shareAccesses) }),
  /** How far a network is shared, from now on; nobody has to accept it again. */
  run(context, { id: offerId, access }) {
    const found = context.runtime.db.transaction(tx => {
      const given = findGiven(context, tx, offerId)
      if (given.kind === access) return given
      const told = toldOf(tx, given)
      tx.update(networkOffers).set({ kind: access }).where(eq(networkOffers.id, offerId)).run()
      logBoth(context, tx, given, { action: 'edit', ...told, fields: { ...told.fields, access: [given.kind, access] } })
      return given
    })
    notifyBoth(context, [context.actor.organization, found.organization])
    return {}
  },
})

const cancel = call({
  ...changing,
  path: 'networks/share/cancel',
  topics: ['networks'],
  input: z.strictObject({ id }),
  /** Ends a share, or takes the offer of one back. */
  run(context, input) {
    const found = context.runtime.db.transaction(tx => {
      const given = findGiven(context, tx, input.id)
      endInvitation(context, tx, given, 'unshare')
      return given
    })
    notifyBoth(context, [context.actor.organization, found.organization])
    return {}
  },
})

export const shareCalls = [options, add, list, accept, reject, giveBack, edit, cancel] as const
