import type { AnyCall, BaseContext } from '@/server/kernel/call'
import { isRefusal } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import type { PageSession } from '@/server/people/sign-in/page-session'
import { checkAuthority, runCall } from './authorize'

/** A call's answer that travels with a page; `input` and `json` as the browser would have sent and got them. */
export type Answer = { path: string; input: Record<string, unknown>; json: string }
export type Wanted = readonly [call: AnyCall, input?: Record<string, unknown>]

/** A page waits no longer for an answer: the browser asks again by itself. */
const patienceMs = 400

const pageContext = (runtime: Runtime, now: number): BaseContext => ({
  runtime,
  request: new Request('http://localhost/'),
  requestId: '',
  address: '',
  loopback: false,
  secure: false,
  now,
  cookie: () => undefined,
  setCookie: () => undefined,
  clearCookie: () => undefined,
})

async function answer(page: PageSession, [call, own]: Wanted, network: number, now: number): Promise<Answer[]> {
  const input = { networkId: network, ...own }
  try {
    checkAuthority(call, page.session)
    const data = await runCall(call, pageContext(page.runtime, now), page.session, input)
    return [{ path: call.path, input, json: JSON.stringify(data) }]
  } catch (error) {
    if (!isRefusal(error)) console.error(`preload of ${call.path}:`, error)
    return []
  }
}

/**
 * Answers of calls that only read, about a network, for the page that is being drawn: it shows them at once instead of
 * asking for them after its scripts ran. What is refused, fails or takes long is left out; the page's part asks for it.
 */
export async function preload(
  page: PageSession,
  network: number,
  wanted: readonly Wanted[],
  patience = patienceMs,
): Promise<Answer[]> {
  const now = Date.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Answer[]>(done => {
    timer = setTimeout(() => done([]), patience)
  })
  const answers = await Promise.all(
    wanted.filter(([call]) => !call.changes).map(one => Promise.race([answer(page, one, network, now), late])),
  )
  clearTimeout(timer)
  return answers.flat()
}
