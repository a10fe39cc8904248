import { DeviceError, type NeighborList } from '../../driver'
import { command } from '../../shell'
import { bssidOf } from '../../unix/hostapd'
import { clean } from '../../unix/text'
import type { OpenwrtSession } from '../uci/session'

/** Gives hostapd the whole list of each network: BSSID, SSID, element. */
export async function tellNeighbors({ ssh }: OpenwrtSession, lists: readonly NeighborList[]): Promise<void> {
  for (const { interface: name, ssid, wanted } of lists) {
    const list = wanted.map(element => [bssidOf(element), ssid, element])
    const { code, stderr } = await ssh.exec(
      command('ubus', 'call', `hostapd.${name}`, 'rrm_nr_set', JSON.stringify({ list })),
    )
    if (code !== 0) throw new DeviceError('commandFailed', clean(stderr) ?? `status ${code}`)
  }
}
