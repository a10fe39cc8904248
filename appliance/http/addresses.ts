import { readFileSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'

/** Name of the interface that has the default route (the table of Linux, /proc/net/route); undefined where none has. */
export function interfaceOf(routes: string): string | undefined {
  const rows = routes
    .split('\n')
    .slice(1)
    .map(line => line.split('\t'))
  const defaults = rows.filter(([, destination, , , , , , mask]) => destination === '00000000' && mask === '00000000')
  return defaults.sort((a, b) => Number(a[6]) - Number(b[6]))[0]?.[0]
}

export function defaultInterface(): string | undefined {
  try {
    return interfaceOf(readFileSync('/proc/net/route', 'utf8'))
  } catch {
    return undefined
  }
}

type Place = {
  interfaces: Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>
  /** Where the rest of the world comes in. */
  main: string | undefined
  /** Address listened on; `::` and `0.0.0.0` are all. */
  bind: string
  port: number
  /** Only what is forwarded from this machine's own loopback arrives, as in the device lab. */
  forwarded: boolean
}

/** Addresses a person can type, the one that most likely works first: that of the interface with the default route. */
export function addressesOf({ interfaces, main, bind, port, forwarded }: Place): string[] {
  const outside = Object.entries(interfaces)
    .sort(([a], [b]) => Number(b === main) - Number(a === main))
    .flatMap(([, list = []]) => list)
    .filter(one => !one.internal && one.family === 'IPv4')
    .map(one => one.address)
  const hosts = forwarded ? ['localhost'] : ['::', '0.0.0.0'].includes(bind) ? [...outside, 'localhost'] : [bind]
  return hosts.map(host => `https://${host.includes(':') ? `[${host}]` : host}:${port}`)
}
