import { inGuest } from '../_guest'

// Stations of the wifi guest: Debian's wpa_supplicant on radios of their own.

export type Station = 1 | 2 | 3

/** mac80211_hwsim numbers its radios so. */
export const macOf = (station: Station): string => `02:00:00:00:0${station}:00`

type Joined = Record<'ip' | 'ssid' | 'key_mgmt' | 'pairwise_cipher', string>

/** Joins by these lines of wpa_supplicant's and asks for an address. `refused`: the end of its log, where it is not let in. */
export async function join(
  station: Station,
  lines: Record<string, string>,
): Promise<Partial<Joined> & { refused?: string }> {
  const text = Object.entries(lines).map(([key, value]) => `${key}=${value}`)
  const { code, stdout, stderr } = await inGuest(`/etc/lab/join ${station}`, text.join('\n'))
  if (code !== 0) return { refused: stderr }
  return Object.fromEntries(stdout.split('\n').map(line => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
}

/** Whether its packets arrive there and are answered: three are sent, since the first may wait for the neighbour's address. */
export const reaches = async (station: Station, address: string): Promise<boolean> =>
  (await inGuest(`ip netns exec c${station} ping -n -q -c 3 -i 0.3 -W 2 ${address}`)).code === 0
