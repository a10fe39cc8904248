import { gateKey } from '@/server/devices/change/plan/gate'
import type { Place } from '@/server/guests/sessions/place'
import { guestByToken } from '@/server/guests/sessions/store'
import type { Runtime } from '@/server/kernel/runtime'
import { askerOf } from './asker'
import { signedQuery } from './signed'

// Who comes to the portal by its name, over TLS, was led there by no gateway: a phone that was told of it by DHCP.

/** The server in front says both, and clients cannot: it came by the portal's own port, over TLS. */
export const isByTls = ({ headers }: Request): boolean =>
  headers.get('x-lanward-portal') === '1' && headers.get('x-forwarded-proto') === 'https'

const leadTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })

/** Whatever is asked for over plain http comes to the gateway, which says who asks. */
const anyPage = 'http://192.0.2.1/'

type Came = {
  said: URLSearchParams
  /** What the browser keeps of a session. */
  token: string | undefined
  now: number
}

/** On with what the gateway's redirect would say, or to the gateway; undefined where there is something to go by. */
export async function ledByName(
  runtime: Runtime,
  place: Place,
  request: Request,
  { said, token, now }: Came,
): Promise<Response | undefined> {
  if (request.method === 'POST' || said.has('sig') || !isByTls(request)) return undefined
  const asker = await askerOf(runtime, place, request, now)
  const { lan, network } = place
  if (typeof asker === 'string' || !asker.sure)
    return token && guestByToken(runtime, lan, token) ? undefined : leadTo(anyPage)
  return leadTo(`/portal/${lan}?${signedQuery(gateKey(runtime, network), { lan, ...asker }, now)}`)
}
