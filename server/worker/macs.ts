// MAC addresses as sorted numbers of 48 bits: a network's devices have hundreds of thousands of them, and as texts in a set
// they would weigh more than all else that is known of the devices.

export type Macs = ArrayLike<number>

const hexOf = (text: string, at: number): number => Number.parseInt(text.slice(at, at + 2), 16)

/** Of six bytes in hexadecimal with colons between; -1 of anything else. */
function numberOf(mac: string): number {
  if (mac.length !== 17) return -1
  let number = 0
  for (let at = 0; at < 17; at += 3) number = number * 256 + hexOf(mac, at)
  return number >= 0 ? number : -1
}

export function packMacs(macs: Iterable<string>): Macs {
  const numbers = new Set([...macs].map(numberOf))
  numbers.delete(-1)
  return Float64Array.from(numbers).sort()
}

export const noMacs: Macs = []

/** All of these lists in one. */
export function joinMacs(lists: readonly Macs[]): Macs {
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all.sort()
}

export const sameMacs = (one: Macs, other: Macs): boolean => {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}

export function hasMac(macs: Macs, mac: string): boolean {
  const wanted = numberOf(mac)
  let [from, to] = [0, macs.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const found = macs[middle] ?? 0
    if (found === wanted) return wanted >= 0
    if (found < wanted) from = middle + 1
    else to = middle
  }
  return false
}
