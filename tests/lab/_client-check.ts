// Why a client is slow or offline: a client of the switch, with faults that are really there.
import { type Check, causeOf } from '@/model/troubleshooting/client-check'
import { lab, until } from './_lab'
import { begin as beginSite, gateway, look, site, sw } from './_troubleshooting'

export const clientMac = async () => (await lab.sh('c2', 'cat /sys/class/net/eth0/address')).stdout.trim()
/** What its checks come to. */
export async function checked(): Promise<{ checks: readonly Check[]; cause: string | undefined }> {
  for (const id of site.ids) await site.known(id)
  const seen = await look({ tool: 'client', mac: await clientMac(), name: 'www.internet.test' })
  if (seen.figures?.tool !== 'client') throw new Error(`${seen.state}: ${JSON.stringify(seen.failure)}`)
  const { checks } = seen.figures
  const cause = causeOf(checks)
  return { checks, cause: cause && `${cause.what} ${cause.reason}` }
}
/** The same while the shell line holds on a device, which `undo` ends. */
export async function during(device: 'gw' | 'sw1' | 'inet', fault: string, undo: string) {
  try {
    const ran = await lab.sh(device, fault)
    if (ran.code !== 0) throw new Error(ran.stderr)
    return await checked()
  } finally {
    await lab.sh(device, undo)
  }
}
export const dropping = (rule: string, hook = 'output') =>
  `nft 'table inet faulty { chain one { type filter hook ${hook} priority -300; ${rule}; }; }'`
export const noMore = 'nft delete table inet faulty'

/** The switch has seen the client at its port. */
export async function begin(): Promise<void> {
  await beginSite()
  await until(async () => {
    await lab.sh('c2', `ping -c1 -W1 ${gateway}`)
    await site.known(sw as number)
    const { result } = (await site.ok('clients/list')) as { result: { mac: string; port?: string }[] }
    return result.some(one => one.port === 'p4')
  })
}
