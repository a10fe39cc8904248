import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'

/** What a gateway says of a guest whom it leads to the portal; `at` in unix seconds, `url` what the guest asked for. */
export type Redirect = { lan: string; mac: string; ip: string; at: number; url?: string }
/** `forged`: not signed by a gateway of this network; `old`: signed once, and no longer good. */
export type Refused = { refused: 'forged' | 'old' }

/** Somebody reads the terms, or fetches a voucher at the reception, and types. */
const goodSeconds = 3600
/** The gateway's clock against the manager's. */
const skewSeconds = 600
const urlCharacters = 2048

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * What a gateway puts beside its redirect, as its shell makes it of `sha256sum` alone. Digested twice: of the inner sum
 * nobody can go on to a longer text.
 */
export const signature = (key: string, { lan, mac, ip, at }: Redirect): string =>
  digest(key + digest(`${key}${lan} ${mac} ${ip} ${at}`))

/** The query that a gateway would send a device with now (unix ms). */
export function signedQuery(key: string, { lan, mac, ip, url }: Omit<Redirect, 'at'>, now: number): URLSearchParams {
  const redirect = { lan, mac, ip, at: Math.floor(now / 1000) }
  return new URLSearchParams({ mac, ip, at: `${redirect.at}`, sig: signature(key, redirect), ...(url && { url }) })
}

const isMac = (text: string) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(text)

function isSignedBy(key: string, redirect: Redirect, sig: string): boolean {
  const wanted = Buffer.from(signature(key, redirect))
  const given = Buffer.from(sig)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

/** The redirect of a query, where a gateway with this key made it within the last hour. `now` in unix ms. */
export function readRedirect(key: string, lan: string, query: URLSearchParams, now: number): Redirect | Refused {
  const [mac, ip, at, sig] = ['mac', 'ip', 'at', 'sig'].map(name => query.get(name) ?? '') as [
    string,
    string,
    string,
    string,
  ]
  const whole = isMac(mac) && isIP(ip) !== 0 && /^[1-9]\d{0,10}$/.test(at)
  const redirect = { lan, mac, ip, at: Number(at) }
  if (!whole || !isSignedBy(key, redirect, sig)) return { refused: 'forged' }
  const seconds = now / 1000 - redirect.at
  if (seconds > goodSeconds || seconds < -skewSeconds) return { refused: 'old' }
  const url = query.get('url')?.slice(0, urlCharacters)
  return { ...redirect, ...(url && { url }) }
}
