import { cookies, headers } from 'next/headers'
import type { Actor } from '@/server/kernel/call'
import { remoteAddress } from '@/server/kernel/remote'
import { type Runtime, runtime as started } from '@/server/kernel/runtime'
import { setup } from '@/server/kernel/setup'
import { accessibleNetwork, actorIn } from '@/server/people/access/access'
import { findSession, type OpenSession, sessionCookie } from '@/server/people/accounts/sessions'

export type PageSession = { runtime: Runtime; session: OpenSession | undefined; wizardDone: boolean }

/** Who looks at the page that is being drawn. Opening a page is a person's act: it prolongs the session. */
export async function pageSession(): Promise<PageSession> {
  const runtime = started()
  const sent = await headers()
  const secure = sent.get('x-forwarded-proto') === 'https'
  const cookie = (await cookies()).get(sessionCookie(secure))?.value
  return {
    runtime,
    session: await findSession(runtime, cookie, true, remoteAddress(sent)),
    wizardDone: setup.read(runtime.db).finished,
  }
}

/** As `pageSession`, for a page of a network: who looks at it counts as they do there; undefined where they do not enter it. */
export async function networkSession(networkId: string): Promise<{ runtime: Runtime; actor: Actor | undefined }> {
  const { runtime, session } = await pageSession()
  const id = Number(networkId)
  const network = session && Number.isSafeInteger(id) ? accessibleNetwork(runtime.db, session.actor, id) : undefined
  return { runtime, actor: session && network && actorIn(session.actor, network) }
}
