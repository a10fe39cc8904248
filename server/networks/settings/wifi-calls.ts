import * as z from 'zod'
import { ipv4Text, segment4 } from '@/model/addresses'
import { documentCode } from '@/model/codes'
import { lan } from '@/model/lan/lan'
import { joinText } from '@/model/wifi/join'
import { ssid } from '@/model/wifi/ssid'
import { call } from '@/server/kernel/call'
import { logged } from '@/server/kernel/changelog'
import { openedRows } from '@/server/kernel/documents'
import { fail } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { qrOf } from '@/server/kernel/qr'
import { viewDocuments } from './documents'
import { kindRows } from './store'

/** The subnet of a gateway's address in it: `10.0.20.1/24` is in `10.0.20.0/24`. */
function subnetOf(address: unknown): string | undefined {
  const segment = typeof address === 'string' ? segment4(address) : undefined
  return segment && `${ipv4Text(segment.first)}/${segment.prefix}`
}

const vlans = call({
  path: 'settings/vlans/list',
  tag: 'settings',
  scope: 'network',
  authority: 'settings_lan',
  // Whoever puts a Wi-Fi network into a LAN chooses it by its name.
  also: ['settings_wifi'],
  changes: false,
  input: z.strictObject(wholeListInput),
  /** {id, name, vlan, subnet?}[]: the LAN networks as something else is put into them. */
  run({ runtime, network }, input) {
    const rows = viewDocuments(runtime, network.id, lan).flatMap(({ id, name, vlan, address }) =>
      typeof vlan === 'number' ? [{ id, name: String(name), vlan, subnet: subnetOf(address) }] : [],
    )
    return listed(rows, input, {
      text: one => [one.name, String(one.vlan), one.subnet],
      sort: { name: one => one.name, vlan: one => one.vlan },
    })
  },
})

const join = call({
  path: 'wifi/ssids/join',
  topics: ['changelog'],
  tag: 'settings',
  scope: 'network',
  // A secret is told to those alone who may change it.
  authority: 'settings_wifi_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ id: z.uuid('notFound') }),
  /** What a phone needs to join, as it is saved: key and QR code; neither where everybody has a login of their own. */
  run({ runtime, network, actor, log }, { id }) {
    // A key of the API is a program's; Wi-Fi keys are for people.
    if (actor.key !== undefined) fail('noAuthority')
    const rows = kindRows(runtime.db, network.id, ssid.id).filter(row => row.id === id)
    const [found] = openedRows(runtime.secrets, ssid, rows)
    if (!found) fail(documentCode('ssid', 'notFound'), { id })
    const { name, security, hidden, key } = found.data as {
      name: string
      security: string
      hidden: boolean
      key?: string
    }
    const text = joinText({ name, security, hidden, key })
    log({ action: 'reveal', object: logged(ssid), name })
    return { name, security, hidden, ...(text !== undefined && { qr: qrOf(text), ...(key !== undefined && { key }) }) }
  },
})

/** Calls of Wi-Fi networks beside those that every kind has. */
export const wifiCalls = [vlans, join] as const
