import type { NativeConfig } from './driver'

/** The device leaves the address that the manager reaches it at: proof goes to the new one. */
export type AddressChange = { from: string; to: string; block: string }

// `network.lan.ipaddr='192.168.1.1'`, `Address=10.0.0.1/24`, `	address 10.0.0.1/24`: one line for one address.
const addressLine = /^(.*(?:ipaddr|address)\s*=?\s*'?)((?:\d{1,3}\.){3}\d{1,3})(?:\/\d{1,2})?'?\s*$/i

const addressLines = (text: string) =>
  text.split('\n').flatMap(line => {
    const [, head, address] = addressLine.exec(line) ?? []
    return head && address ? [{ head, address }] : []
  })

/**
 * Where a push takes the manager's own address on the device (`ManagerPath.local`). Undefined where it stays, where
 * another line of the plan still has it, or where no line tells what comes in its place.
 */
export function addressChangeOf(
  before: NativeConfig,
  next: NativeConfig,
  local: string | undefined,
): AddressChange | undefined {
  if (local === undefined) return undefined
  const has = (config: NativeConfig) =>
    config.blocks.some(block => addressLines(block.text).some(line => line.address === local))
  if (!has(before) || has(next)) return undefined
  const found = before.blocks.flatMap(block => {
    const line = addressLines(block.text).find(one => one.address === local)
    const wanted = next.blocks.find(one => one.id === block.id)
    const to = line && addressLines(wanted?.text ?? '').find(one => one.head === line.head)?.address
    return to ? [{ from: local, to, block: block.id }] : []
  })
  return found[0]
}
