import { and, count, eq, inArray, ne } from 'drizzle-orm'
import { accounts, deployments, devices, documents } from '@/db/schema'
import { type FirstStep, firstSteps } from '@/model/guide'
import type { Actor } from '@/server/kernel/call'
import type { Runtime } from '@/server/kernel/runtime'
import { readMailServer } from '@/server/mail/server'
import { backupState } from '@/server/manager/backups/state'
import { homeNetwork, ownNetworks } from '@/server/people/access/access'
import { ownAccount } from '@/server/people/sign-in/attempts'

/** Whether each step is done, as the manager's own data say. */
function doneBy(runtime: Runtime, actor: Actor): Readonly<Record<FirstStep, () => boolean>> {
  const { db } = runtime
  const seen = ownNetworks(db, actor).map(network => network.id)
  const some = (rows: { n: number } | undefined) => (rows?.n ?? 0) > 0
  const here = inArray(devices.network, seen)
  return {
    network: () => seen.length > 0,
    device: () => some(db.select({ n: count() }).from(devices).where(here).get()),
    wifi: () => {
      const ssids = and(eq(documents.kind, 'ssid'), eq(documents.scope, 'network'), inArray(documents.scopeId, seen))
      return some(db.select({ n: count() }).from(documents).where(ssids).get())
    },
    push: () => {
      const held = inArray(deployments.state, ['applied', 'partial'])
      const pushes = db.select({ n: count() }).from(deployments).innerJoin(devices, eq(devices.id, deployments.device))
      return some(pushes.where(and(held, here)).get())
    },
    mfa: () => ownAccount({ runtime, actor }).mfa !== null,
    people: () => {
      const others = and(eq(accounts.organization, actor.organization), ne(accounts.id, actor.id))
      return some(
        db
          .select({ n: count() })
          .from(accounts)
          .where(and(others, ne(accounts.state, 'disabled')))
          .get(),
      )
    },
    mail: () => readMailServer(runtime) !== undefined,
    // One that only this machine can restore does not outlive it.
    backup: () => backupState.read(db).lastProven?.portable === true,
  }
}

/** How far this person is: the first steps that are theirs to do, each with its page, and what of the guide they have seen. */
export function guideOf(runtime: Runtime, actor: Actor) {
  const home = homeNetwork(runtime.db, actor)?.id
  const done = doneBy(runtime, actor)
  const { guideStep, source } = ownAccount({ runtime, actor })
  const steps = firstSteps
    // Whoever an identity provider signs in has their second factor there.
    .filter(one => one.id !== 'mfa' || source !== 'saml')
    .filter(one => actor.authorities.has(one.needs) && (home !== undefined || !one.path.includes('{n}')))
    .map(({ id, path }) => ({ id, path: path.replace('{n}', String(home)), done: done[id]() }))
  return { step: guideStep, steps }
}
export type Guide = ReturnType<typeof guideOf>
