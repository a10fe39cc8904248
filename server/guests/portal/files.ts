import type { SplashFields } from '@/model/profiles/splash'
import { fileOf, type MediaFile, pageFileOf } from '@/server/guests/media/store'
import { findPlace, findSplash } from '@/server/guests/sessions/place'
import { rangeOf } from '@/server/kernel/files/serve'
import { type Runtime, runtimeIfReady } from '@/server/kernel/runtime'

// What the portal's page shows beside its text. Given out is only what the splash page of that very LAN names.

/** What a browser may do with the house's own page: its scripts run, and are of no origin, ask nobody and go nowhere. */
export const ownPagePolicy = [
  'sandbox allow-forms allow-scripts',
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "media-src 'self'",
  "connect-src 'none'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Of no origin: a browser asks for its fonts and modules as somebody else's, who has to allow it. */
const ownPageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': ownPagePolicy,
  'access-control-allow-origin': '*',
}

const none = (status: number) =>
  new Response('There is no file here.\n', {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })

function given({ type, data }: MediaFile, request: Request, headers: Record<string, string>): Response {
  const range = rangeOf(request.headers.get('range'), data.length)
  const own = { ...headers, 'content-type': type, 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes' }
  if (range === 'unfit')
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${data.length}` } })
  if (!range) return new Response(new Uint8Array(data), { headers: own })
  const { from, to } = range
  return new Response(new Uint8Array(data.subarray(from, to + 1)), {
    status: 206,
    headers: { ...own, 'content-range': `bytes ${from}-${to}/${data.length}` },
  })
}

async function splashOf(
  lan: string,
  request: Request,
): Promise<{ runtime: Runtime; splash: SplashFields } | undefined> {
  const runtime = runtimeIfReady()
  if (request.headers.get('x-lanward-portal') !== '1' || !runtime) return undefined
  const place = await findPlace(runtime, lan)
  const splash = place && (await findSplash(runtime, place))
  return splash && { runtime, splash }
}

const shown = ({ logo, background, adImages = [], adVideo }: SplashFields) => [logo, background, adVideo, ...adImages]

/** A picture or video of the LAN's splash page, at `/portal/<LAN>/file/<id>`. */
export async function answerFile(lan: string, id: string, request: Request): Promise<Response> {
  const found = await splashOf(lan, request)
  const file = found && shown(found.splash).includes(id) ? fileOf(found.runtime, id) : undefined
  // Another picture is another id.
  return file ? given(file, request, { 'cache-control': 'public, max-age=86400, immutable' }) : none(404)
}

/** What the house's own page consists of, at `/portal/<LAN>/page/<path>`. */
export async function answerPageFile(lan: string, path: string, request: Request): Promise<Response> {
  const found = await splashOf(lan, request)
  const file = found?.splash.page ? pageFileOf(found.runtime, found.splash.page, path) : undefined
  return file ? given(file, request, ownPageHeaders) : none(404)
}
