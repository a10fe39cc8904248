// Random Wi-Fi settings through both renderers, read back by parsers of their own: whatever can be entered arrives as it is.
import { isIP } from 'node:net'
import { type PpskFields, ppsk } from '@/model/profiles/ppsk'
import { radius } from '@/model/profiles/radius'
import { parts } from '@/model/wifi/channels'
import { type RadioFields, radio as radioKind } from '@/model/wifi/radio'
import { type SsidFields, ssid } from '@/model/wifi/ssid'
import type { DesiredDocument, NativeBlock, RenderInput } from '@/server/drivers/driver'
import { wifiRenderer as linux } from '@/server/drivers/linux/wifi/wifi'
import type { Radio } from '@/server/drivers/observation'
import { wifiRenderer as openwrt } from '@/server/drivers/openwrt/wifi/wifi'
import { decodeSsid } from '@/server/drivers/unix/hostapd'
import { unmarked } from '@/server/drivers/unix/secret'
import { times } from '../_sample'
import { randomDocument } from '../model/_random'
import { randomOf } from '../soak/random'
import { networkRoles } from './_network-roles'

const rounds = times(250, 50)
const some = ['00000000-0000-4000-8000-000000000001']
const ids = { radius: some, schedule: some, ssid: some, portal: some }
const channels = Array.from({ length: 234 }, (_, at) => at)
const can = { channels, widths: [20, 40, 80, 160], maxPowerDbm: 31, ax: true }
const card: Radio = {
  ...{ key: 'phy0', name: 'phy0', driver: 'nl80211', interface: 'wlan0', bridge: 'br-lan', up: true, maxBss: 8 },
  can: { '2g': can, '5g': can, '6g': can },
}
const interfaces = Array.from({ length: 4094 }, (_, vlan) => ({
  ...{ key: `eth0.${vlan}`, name: `eth0.${vlan}`, type: 'vlan' as const, master: `br${vlan}` },
}))
const input = (documents: DesiredDocument[], more: Partial<Radio>): RenderInput => ({
  facts: { kind: 'ap', capabilities: ['systemd', 'hostapd', 'root', 'wifi'], mac: '02:00:5e:10:00:01' },
  observation: {
    ...{ takenAt: 0, depth: 'full', radios: [{ ...card, ...more }], interfaces },
    networks: [{ name: 'lan', device: 'br-lan' }],
    networkRoles,
  },
  documents,
  confirmSeconds: 90,
})
const textOf = (blocks: NativeBlock[], end: string) => unmarked(blocks.find(one => one.id.endsWith(end))?.text ?? '')
const document = (kind: string, data: object): DesiredDocument => ({ id: kind, kind, name: '', data: { ...data } })

/** Lines `key=value` of a file; anything else in it but a remark fails. */
function pairs(text: string): Map<string, string> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
      expect([line, key]).not.toEqual([line, ''])
      return [key, value]
    }),
  )
}
const ssidIn = (text: string | undefined = '') => {
  const [, escaped, name = ''] = /^(P?)"(.*)"$/.exec(text) ?? []
  return escaped ? decodeSsid(name) : name
}

function inHostapd(blocks: NativeBlock[], wanted: SsidFields, secret: unknown): void {
  const text = textOf(blocks, 'lanward-phy0.conf')
  const conf = pairs(text)
  expect(ssidIn(conf.get('ssid2'))).toBe(wanted.name)
  expect([conf.get('ignore_broadcast_ssid'), conf.get('ap_isolate')]).toEqual(
    [wanted.hidden, wanted.isolation].map(on => (on ? '1' : '0')),
  )
  expect([conf.get('dtim_period'), conf.get('max_num_sta') ?? '0'].map(Number)).toEqual([
    wanted.dtim,
    wanted.maxClients,
  ])
  expect(conf.get('bridge')).toBe(wanted.vlan === undefined ? 'br-lan' : `br${wanted.vlan}`)
  if (wanted.security.startsWith('wpa') && wanted.key)
    expect(conf.get('wpa_passphrase') ?? conf.get('wpa_psk')).toBe(wanted.key)
  if (wanted.radius) expect(text.split('\n')).toContain(`auth_server_shared_secret=${secret}`)
  if (wanted.macFilter !== 'off') expect(textOf(blocks, '.macs').split('\n').slice(1, -1)).toEqual(wanted.macList)
}

/** One line an option: nothing that was entered begins another. */
function inUci(blocks: NativeBlock[], wanted: SsidFields): void {
  const uci = unmarked(blocks.find(one => one.id.startsWith('uci:wireless'))?.text ?? '')
  for (const line of uci.split('\n'))
    expect(line).toMatch(/^wireless\.lw_ssid_phy0(=wifi-iface|\.\w+=('([^']|'\\'')*' ?)+)$/)
  expect(/\.ssid='(.*)'$/m.exec(uci)?.[1]?.replaceAll("'\\''", "'")).toBe(wanted.name)
}

test('Wi-Fi networks', () => {
  const random = randomOf(7)
  for (let round = 0; round < rounds; round++) {
    // As renderers get it: the manager asked for the address of a name, and of its own server it knows the rest.
    const named = randomDocument(radius, random)
    const addressOf = (one: unknown) => (isIP(String(one)) ? one : '192.0.2.7')
    const server: Record<string, unknown> = {
      ...named,
      server: addressOf(named.server),
      secret: named.secret ?? 'of the network',
      ...(named.secondServer !== undefined && { secondServer: addressOf(named.secondServer) }),
    }
    const { schedule: _schedule, portal: _portal, ...data } = randomDocument(ssid, random, { ids }) as SsidFields
    const wanted = { ...data, enabled: true }
    const all = [document('ssid', { ...wanted, ...(wanted.radius && { radius: server }) })]
    const seen = input(all, { band: wanted.bands[0] ?? '2g', country: 'DE' })
    const { blocks, warnings } = linux.render(seen)
    // Retries are the manager's word alone: hostapd has its own.
    const keyed = wanted.vouchers ? ['voucherKeyRates'] : []
    const said = new Set(['privateKeyNone', ...keyed, ...(wanted.radius ? ['radiusRetries'] : [])])
    expect(warnings.filter(one => !said.has(one.code))).toEqual([])
    inHostapd(blocks, wanted, server.secret)
    inUci(openwrt.render(seen).blocks, wanted)
  }
})

test('private keys', () => {
  const random = randomOf(11)
  const network = { name: 'Rooms', security: 'ppsk' }
  for (let round = 0; round < rounds; round++) {
    const { ssid: _ssid, ...thrown } = randomDocument(ppsk, random, { ids }) as PpskFields
    const data = { ...thrown, enabled: true }
    const { blocks } = linux.render(
      input([document('ssid', network), document('ppsk', data)], { band: '2g', country: 'DE' }),
    )
    const [, line = '', end] = textOf(blocks, '.psk').split('\n')
    const [, vlan, mac, key] = /^keyid=[0-9a-f]{12} (?:vlanid=(\d+) )?([0-9a-f:]{17}) (.*)$/.exec(line) ?? []
    expect([key, vlan && Number(vlan), mac, end]).toEqual([data.key, data.vlan, data.mac ?? '00:00:00:00:00:00', ''])
    // hostapd reads lines of 127 octets.
    expect(Buffer.byteLength(line)).toBeLessThan(128)
    const vlans = data.vlan === undefined ? [] : [`${data.vlan} wlan0.${data.vlan} br${data.vlan}`]
    expect(textOf(blocks, '.vlans').split('\n').slice(1, -1)).toEqual(vlans)
  }
})

/** hostapd of Debian knows no IEEE 802.11be: the radio is as wide as it can. */
const narrowed = (band: string, { width6g }: RadioFields) =>
  band === '6g' && width6g === '320' ? [{ radio: 'phy0', asked: 320, width: 160 }] : []

test('radios', () => {
  const random = randomOf(13)
  const chwidth: Record<string, string> = { '20': '0', '40': '0', '80': '1', '160': '2', '320': '2' }
  for (let round = 0; round < rounds; round++) {
    const set = randomDocument({ ...radioKind, single: undefined } as typeof radioKind, random) as RadioFields
    for (const band of ['2g', '5g', '6g'] as const) {
      const all = [document('ssid', { name: 'A', security: 'owe', bands: ['2g', '5g', '6g'] }), document('radio', set)]
      const { blocks, warnings } = linux.render(
        input(all, { band, can: { [band]: can }, country: set.country ?? 'DE' }),
      )
      const conf = pairs(textOf(blocks, 'lanward-phy0.conf'))
      const merged = radioKind.fields.parse(set) as RadioFields
      if (!merged[`enabled${band}`]) {
        expect(blocks).toEqual([])
        continue
      }
      expect(warnings.map(one => one.values)).toEqual(narrowed(band, merged))
      const [channel, width, power] = [merged[`channel${band}`], merged[`width${band}`], merged[`power${band}`]]
      expect([Number(conf.get('channel')), conf.get('country_code')]).toEqual([channel, set.country ?? 'DE'])
      if (band === '2g') expect(conf.has('ht_capab')).toBe(width === '40')
      else expect(conf.get('he_oper_chwidth')).toBe(chwidth[width])
      if (channel > 0) expect(parts(band, channel, Number(width))).toBeDefined()
      expect(textOf(blocks, '.power')).toBe(
        power === undefined ? '' : `exec iw phy 'phy0' set txpower limit ${power * 100}\n`,
      )
    }
  }
})
