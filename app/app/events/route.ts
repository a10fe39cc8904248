import { findSession, isOpen, sessionCookie } from '@/server/accounts/sessions'
import type { BusEvent } from '@/server/kernel/bus'
import type { Actor } from '@/server/kernel/call'
import { readCookie } from '@/server/kernel/cookies'
import { remoteAddress } from '@/server/kernel/remote'
import { runtime as started } from '@/server/kernel/runtime'
import { hears } from '@/server/networks/access'

const heartbeatMs = 20_000
/** News that may wait for one reader. */
const mostUnread = 1000

/** Whose session ended is nobody else's to know; who sees people is told that there is news of them. */
function ofOthers(actor: Actor, event: BusEvent): BusEvent | undefined {
  if (event.topic === 'networkMoved') return undefined
  if (event.topic !== 'sessions' || event.id === undefined || event.id === actor.id) return event
  return actor.authorities.has('organization_users') ? { topic: 'users' } : undefined
}

/** The live stream of a browser: `data: {topic, id}` lines of what changed where its person may look, a comment every 20 s. */
export async function GET(request: Request) {
  const runtime = started()
  const cookie = readCookie(
    request.headers.get('cookie'),
    sessionCookie(request.headers.get('x-forwarded-proto') === 'https'),
  )
  const address = remoteAddress(request.headers)
  const session = await findSession(runtime, cookie, false, address)
  if (!session) return new Response(null, { status: 401 })
  let { actor } = session
  const encoder = new TextEncoder()
  let end = (): void => undefined
  const stream = new ReadableStream({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text))
      const tell = (event: BusEvent) => send(`data: ${JSON.stringify({ topic: event.topic, id: event.id })}\n\n`)
      send(': open\n\n')
      const off = runtime.bus.on(event => {
        if (!hears(runtime.db, actor, event)) return
        const heard = ofOthers(actor, event)
        if (!heard) return
        // A browser that sleeps reads nothing: what it missed it fetches when it comes back.
        if ((controller.desiredSize ?? 0) < -mostUnread) return cut(new Error('the reader is too slow'))
        if (heard.topic === 'sessions' && !isOpen(runtime, actor, address)) return close()
        tell(heard)
      })
      let open = true
      const alive = async () => {
        const found = await findSession(runtime, cookie, false, address)
        if (!open) return
        if (!found) return close()
        actor = found.actor
        send(': alive\n\n')
      }
      // It fails where the manager is about to stop, and has closed its database.
      const beat = setInterval(() => void alive().catch(cut), heartbeatMs)
      end = () => {
        open = false
        clearInterval(beat)
        off()
      }
      const close = () => {
        end()
        tell({ topic: 'signedOut' })
        controller.close()
      }
      const cut = (why: unknown) => {
        if (!open) return
        end()
        controller.error(why)
      }
      request.signal.addEventListener('abort', end)
    },
    cancel: () => end(),
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
export const dynamic = 'force-dynamic'
