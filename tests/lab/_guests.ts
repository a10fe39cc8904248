import { web } from './_firewall'
import { type Device, lab } from './_lab'
import { measure, type Way } from './_rate'

// Guests of the lab as they see themselves: c1 and c2, and c3 behind a second gateway.

export type Client = Extract<Device, 'c1' | 'c2'>
export type Station = Client | 'c3'
export const macs = { c1: '02:00:5e:10:00:c1', c2: '02:00:5e:10:00:c2' } as const

export const curl = (client: Station, ...words: string[]) =>
  lab.in(client, ['curl', '-s', '-g', '-m', '5', ...words], { timeoutMs: 30_000 })
/** What ends by what happens to the guest, however long that takes. */
export const long = (client: Station, line: string) => lab.in(client, ['sh', '-c', line], { timeoutMs: 600_000 })
/** Where a guest is led; undefined where it is not. */
export const location = async (client: Station, url = web) =>
  /^location: (\S+)/im.exec((await curl(client, '-o', '/dev/null', '-D', '-', url)).stdout)?.[1]
export const page = async (client: Station, url = web) => (await curl(client, url)).stdout
export const isIn = async (client: Station, url = web) => (await page(client, url)).includes('the internet of the lab')
export const isLed = async (client: Station) => (await location(client)) !== undefined

/** An address of its own prefix again, after a lease has taken them all away; the prefix, once it has one. */
export async function prefixOf(client: Client): Promise<string | undefined> {
  const { stdout } = await lab.sh(client, 'ip -6 addr show eth0')
  return /inet6 (fd[0-9a-f]+:[0-9a-f]+:[0-9a-f]+:[0-9a-f]+):/.exec(stdout)?.[1]
}
export const askPrefix = (client: Client) =>
  lab.sh(client, 'cd /proc/sys/net/ipv6/conf/eth0 && echo 1 >disable_ipv6; echo 2 >accept_ra; echo 0 >disable_ipv6')

export const rateOf = (client: Client, port: number, way: Way) =>
  measure(
    { client: command => lab.in(client, command), server: command => lab.in('inet', command) },
    ...(['203.0.113.1', port, way, 5] as const),
  )
