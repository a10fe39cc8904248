import { and, count, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts, changelog, networkOffers } from '@/db/schema'
import { receivingRoles } from '@/model/authority'
import { limits } from '@/model/limits'
import type { Actor, Logging, OrganizationContext } from '@/server/kernel/call'
import { fail, failFields, isRefusal } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { queueMail } from '@/server/mail/queue'
import { mailReady, publicLink } from '@/server/mail/server'
import { findNetwork } from '@/server/people/access/access'
import { actorOf } from '@/server/people/accounts/actor'
import { associatedWith } from './associations'
import {
  type Invitation,
  invitationsOf,
  type Kind,
  logBoth,
  mayAccept,
  organizationNames,
  problemOf,
  refuseInvited,
  toldOf,
} from './invitations'

// How a network is offered to another organization.

const hourMs = 3_600_000
/** What the changelog calls an offer. */
const actionOf = (kind: Kind) => (kind === 'transfer' ? 'offerTransfer' : 'share')
/** Where it is answered. */
const page = '/organization/network'

/** People of an organization who may answer what is offered to it, and have an address. */
function answering(db: Db, organization: number) {
  const own = and(eq(accounts.organization, organization), eq(accounts.state, 'active'), isNotNull(accounts.email))
  return db
    .select()
    .from(accounts)
    .where(own)
    .all()
    .filter(account => mayAccept(actorOf(db, account, { id: '', network: null })))
    .slice(0, limits.offerMails)
}

/** Offers that reached an organization in the last hour, also those that were taken back. */
function offeredLately(db: Db, organization: number, now: number): number {
  const theirs = and(eq(changelog.organization, organization), isNull(changelog.network))
  const lately = and(
    inArray(changelog.action, [actionOf('read'), actionOf('transfer')]),
    gt(changelog.at, now - hourMs),
  )
  const found = db.select({ n: count() }).from(changelog).where(and(theirs, lately)).get()
  return found?.n ?? 0
}

/**
 * Letters to those who may answer an offer that was just logged, where a mail server is set. Whoever offers and takes back
 * again and again fills nobody's mailbox; a full queue keeps no network from being offered.
 */
function writeOffer({ runtime, actor, now }: OrganizationContext, tx: Db, made: Invitation, network: string): void {
  if (!mailReady(runtime) || offeredLately(tx, made.organization, now) > limits.offersToldAnHour) return
  const names = organizationNames(tx)
  const [company, from] = [names.get(made.organization) ?? '', names.get(actor.organization) ?? '']
  for (const { email, locale, organization } of answering(tx, made.organization))
    try {
      queueMail(runtime, tx, {
        ...{ organization, to: email ?? '', locale: locale ?? readGeneral(tx).language },
        template: made.kind === 'transfer' ? 'transferOffer' : 'shareOffer',
        values: { company, from, account: actor.account, network, link: publicLink(runtime, page) },
      })
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
}

/** Rule S6: an administrator of another organization, by the name they sign in with; else a refusal at the field. */
function recipientOf(db: Db, actor: Actor, account: string) {
  const found = db.select().from(accounts).where(eq(accounts.account, account)).get()
  if (found?.id === actor.id) failFields({ account: 'shareSelf' })
  if (found?.organization === actor.organization) failFields({ account: 'shareOwnCompany' })
  // Of who is there, and of who may do what elsewhere, nothing is told.
  if (found?.state !== 'active' || !receivingRoles.includes(found.role)) return failFields({ account: 'shareNobody' })
  return found
}

/** To whom a network is offered: an administrator by the name they sign in with, or an associated organization. */
export type Recipient = { account?: string | undefined; companyId?: number | undefined }

/** The organization's super administrator answers for it. */
function headOf(db: Db, actor: Actor, company: number) {
  if (!associatedWith(db, actor.organization).some(one => one.id === company)) failFields({ companyId: 'notFound' })
  const heads = and(eq(accounts.organization, company), eq(accounts.role, 'superAdministrator'))
  const active = and(heads, eq(accounts.state, 'active'))
  return db.select().from(accounts).where(active).get() ?? failFields({ companyId: 'shareNobody' })
}

/** Offers one of the organization's networks; it is the other's to accept. */
export function invite(context: OrganizationContext & Logging, id: number, to: Recipient, kind: Kind): Invitation {
  const { runtime, actor, now } = context
  return runtime.db.transaction(tx => {
    const network = findNetwork(tx, actor, id)
    const { account = '', companyId } = to
    const field = companyId === undefined ? 'account' : 'companyId'
    if (companyId === undefined && account === '') failFields({ account: 'required' })
    const recipient = companyId === undefined ? recipientOf(tx, actor, account) : headOf(tx, actor, companyId)
    const problem = problemOf(tx, network, kind)
    if (problem === 'networkOffered') refuseInvited(tx, network)
    if (problem) fail(problem, { name: network.name })
    const { organization } = recipient
    if (invitationsOf(tx, id).some(one => one.organization === organization)) failFields({ [field]: 'shareTwice' })
    const made = tx
      .insert(networkOffers)
      .values({ network: id, organization, kind, by: actor.account, recipient: recipient.account, createdAt: now })
      .returning()
      .get()
    logBoth(context, tx, made, { action: actionOf(kind), ...toldOf(tx, made) })
    writeOffer(context, tx, made, network.name)
    return made
  })
}
