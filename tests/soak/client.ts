import { ask } from '../appliance/_manager'

type Data = Record<string, unknown>
export type Client = {
  /** The call's data; throws when it was refused or the connection broke. */
  must(path: string, input?: unknown): Promise<Data>
  /** The call's data, or undefined when no acknowledgement came (the manager died). A refusal throws. */
  try(path: string, input?: unknown): Promise<Data | undefined>
  /** Takes over another client's cookies. */
  take(other: Client): void
  /** What it would send as the header `cookie`. */
  cookieLine(): string
  cookies: Map<string, string>
}

/** A browser without pages: calls over real HTTP, cookies kept; `more` are headers that it always sends. */
export function clientOf(base: string, more: Record<string, string> = {}): Client {
  const cookies = new Map<string, string>()
  const cookieLine = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = async (path: string, input: unknown): Promise<Data | undefined> => {
    const own = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest', cookie: cookieLine() }
    const reply = await ask(`${base}/app/${path}`, {
      method: 'POST',
      headers: { ...more, ...own },
      body: JSON.stringify(input ?? {}),
    }).catch(() => undefined)
    if (!reply?.body) return undefined
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const { retCode, data } = JSON.parse(reply.body) as { retCode: number; data: Data }
    if (retCode !== 0) throw new Error(`${path}: ${retCode} ${JSON.stringify(data)}`)
    return data
  }
  return {
    cookies,
    cookieLine,
    try: send,
    async must(path, input) {
      const data = await send(path, input)
      if (!data) throw new Error(`${path}: no answer`)
      return data
    },
    take(other) {
      for (const [name, value] of other.cookies) cookies.set(name, value)
    },
  }
}
