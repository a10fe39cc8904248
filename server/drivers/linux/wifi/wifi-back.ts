import { changedFields } from '../../changed-fields'
import type { Adopted, DesiredDocument, Interrupts, NativeBlock } from '../../driver'
import { blockedForGood } from '../../unix/blocked'
import { unmarked } from '../../unix/secret'
import { type Ssid, ssids } from '../../unix/ssid'
import { present } from '../../unix/text'
import { blockedPath } from './hostapd-conf'

// The way back from hostapd's files: what they say in terms of settings, and whom a change of one interrupts.

const isConf = (block: NativeBlock) => /^file:\/etc\/hostapd\/lanward-.+\.conf$/.test(block.id)

const isMacs = (block: NativeBlock) => /^file:\/etc\/hostapd\/lanward-.+\.macs$/.test(block.id)

/** A file's networks, each with its lines; the first one's begin at its name. */
function networksOf(text: string): { head: string; networks: string[][] } {
  const lines = text.split('\n').filter(Boolean)
  const first = lines.findIndex(line => line.startsWith('ssid2='))
  const networks: string[][] = []
  for (const line of first < 0 ? [] : lines.slice(first))
    if (line.startsWith('bss=') || networks.length === 0) networks.push([line])
    else networks.at(-1)?.push(line)
  return { head: lines.slice(0, first < 0 ? undefined : first).join('\n'), networks }
}

const valueAt = (lines: readonly string[], key: string) =>
  lines.find(line => line.startsWith(`${key}=`))?.slice(key.length + 1)

/** The name that `ssid2=` writes: quoted as it is, or with escapes. */
function nameOf(lines: readonly string[]): string | undefined {
  const [, escaped, text] = /^(P?)"(.*)"$/.exec(valueAt(lines, 'ssid2') ?? '') ?? []
  if (text === undefined) return undefined
  if (!escaped) return text
  const bytes = text.replace(/\\x([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const securityOf: Record<string, Ssid['security']> = {
  '': 'open',
  OWE: 'owe',
  'WPA-PSK': 'wpa2',
  'WPA-PSK SAE': 'wpa2wpa3',
  SAE: 'wpa3',
  'WPA-EAP': 'wpa2Enterprise',
  'WPA-EAP WPA-EAP-SHA256': 'wpa2wpa3Enterprise',
  'WPA-EAP-SHA256': 'wpa3Enterprise',
}

function filterOf(lines: readonly string[]): Ssid['macFilter'] {
  if (valueAt(lines, 'accept_mac_file') !== undefined) return 'allow'
  return [undefined, blockedPath].includes(valueAt(lines, 'deny_mac_file')) ? 'off' : 'block'
}

function fieldsOf(lines: readonly string[]): Record<string, unknown> {
  const wep = valueAt(lines, 'wep_key0')
  const key = valueAt(lines, 'wpa_passphrase') ?? valueAt(lines, 'wpa_psk') ?? wep
  const suites = (valueAt(lines, 'wpa_key_mgmt') ?? '').split(' ')
  const plain = suites.filter(suite => !suite.startsWith('FT-')).join(' ')
  return {
    name: nameOf(lines),
    security: wep === undefined ? securityOf[plain] : 'wep',
    fastRoaming: plain !== suites.join(' '),
    stationTimeout: Number(valueAt(lines, 'ap_max_inactivity')),
    neighborReports: valueAt(lines, 'rrm_neighbor_report') === '1',
    transitionManagement: valueAt(lines, 'bss_transition') === '1',
    key: key === undefined ? undefined : unmarked(key),
    hidden: valueAt(lines, 'ignore_broadcast_ssid') === '1',
    macFilter: filterOf(lines),
    isolation: valueAt(lines, 'ap_isolate') === '1',
    dtim: Number(valueAt(lines, 'dtim_period')),
    timeout: Number(valueAt(lines, 'eap_reauth_period') ?? Number.NaN) / 60,
    maxClients: Number(valueAt(lines, 'max_num_sta') ?? 0),
  }
}

/** Networks are matched by their place in the file; what stands before the first is the radio's and cannot be told. */
export function adopt(
  seen: NativeBlock,
  planned: NativeBlock,
  documents: readonly DesiredDocument[],
): Adopted[] | undefined {
  if (isMacs(seen) && planned.document) {
    const blocked = blockedForGood(documents).map(({ mac }) => mac)
    const macList = seen.text.split('\n').filter(line => /^[0-9a-f]/.test(line) && !blocked.includes(line))
    return [{ document: planned.document, fields: { macList } }]
  }
  if (!isConf(seen)) return undefined
  const [now, plan] = [networksOf(seen.text), networksOf(planned.text)]
  if (now.head !== plan.head || now.networks.length !== plan.networks.length) return undefined
  const known = ssids([...documents])
  return now.networks.flatMap((lines, at) => {
    const before = plan.networks[at] ?? []
    const document = known.find(one => one.name === nameOf(before))
    if (!document || lines.join('\n') === before.join('\n')) return []
    const [old, told] = [fieldsOf(before), fieldsOf(lines)]
    const fields = changedFields(old, told)
    // Its list is another file: one that would come with the filter is not told here, one without a filter is none.
    if ('macFilter' in fields && old.macFilter === 'off') return []
    return [
      {
        document: document.id,
        fields: 'macFilter' in fields && told.macFilter === 'off' ? { ...fields, macList: undefined } : fields,
      },
    ]
  })
}

/** hostapd is started anew with its file: every network of the radio goes down and comes back. */
export function interrupts(block: NativeBlock): Interrupts | undefined {
  if (!isConf(block)) return undefined
  const { head, networks } = networksOf(block.text)
  const radio = valueAt(head.split('\n'), 'interface')
  return { interfaces: radio ? [radio] : [], ssids: networks.flatMap(lines => nameOf(lines) ?? []) }
}

type Sent = { name: string; interface: string; bridge?: string; driver?: string; vlanFile?: string; isolation: boolean }

/** The networks that files of this plan send out, each with the interface that carries its clients. */
export const sentNetworks = (blocks: readonly NativeBlock[]): Sent[] =>
  blocks.filter(isConf).flatMap(({ text }) => {
    const { head, networks } = networksOf(text)
    const top = head.split('\n')
    return networks.flatMap(lines => {
      const name = nameOf(lines)
      const carries = valueAt(lines, 'bss') ?? valueAt(top, 'interface')
      const [bridge, driver] = [valueAt(lines, 'bridge'), valueAt(top, 'driver')]
      const vlanFile = valueAt(lines, 'vlan_file')
      const isolation = valueAt(lines, 'ap_isolate') === '1'
      return name !== undefined && carries
        ? [present<Sent>({ name, interface: carries, bridge, driver, vlanFile, isolation })]
        : []
    })
  })

type SentOver = { name: string; interface: string; ofVlan: boolean }

/** The same by every interface: those of the VLANs, too, into which a private key or a RADIUS server puts clients. */
export const sentOver = (blocks: readonly NativeBlock[]): SentOver[] =>
  sentNetworks(blocks).flatMap(({ name, interface: own, vlanFile }) => {
    const vlans = blocks.find(({ id }) => id === `file:${vlanFile}`)?.text.matchAll(/^\d+ (\S+) /gm) ?? []
    return [
      { name, interface: own, ofVlan: false },
      ...[...vlans].map(([, vlan = '']) => ({ name, interface: vlan, ofVlan: true })),
    ]
  })
