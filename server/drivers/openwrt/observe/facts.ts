import type { DeviceRole, Facts, Interface } from '../../observation'
import { clean, isRecord, list, mac, present, record } from '../../unix/text'
import type { Probe } from '../uci/probe'
import type { Section } from '../uci/show'

type Table = Record<string, unknown>
export type Told = {
  board: Table
  boardJson: Table
  features?: Table
  dump?: Table
  dhcp: readonly Section[]
  probe?: Probe
  /** By name what an interface can be set up by. */
  protocols?: Table
  interfaces: Interface[]
  radios: number
  ports: number
  leds: string[]
  objects: ReadonlySet<string>
}

const squash = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** `glinet,gl-mt6000` and `GL.iNet GL-MT6000`: the words of the model's name that spell the board's vendor. */
export function splitModel(board: unknown, name: unknown): { vendor?: string; model?: string } {
  const model = clean(name, 128)
  const vendorId = clean(board, 128)?.split(',')
  if (!model || !vendorId || vendorId.length < 2) return present({ model })
  const words = model.split(' ')
  const spelt = words.findIndex((_, at) => squash(words.slice(0, at + 1).join('')) === squash(vendorId[0] ?? ''))
  const cut = spelt >= 0 ? spelt + 1 : 1
  if (words.length <= cut) return { model }
  return { vendor: words.slice(0, cut).join(' '), model: words.slice(cut).join(' ') }
}

/** The label's MAC where the board knows it, else the LAN bridge's, else the first port's. */
function baseMac({ boardJson, interfaces }: Told): string | undefined {
  const of = (name: string) => interfaces.find(one => one.name === name)?.mac
  return (
    mac(record(boardJson.system).label_macaddr) ?? of('br-lan') ?? of('eth0') ?? interfaces.find(one => one.mac)?.mac
  )
}

/**
 * A gateway has a default route out of an interface that is no LAN bridge, or a WAN side that is only unplugged while it
 * serves DHCP; else radios make an access point, and many ports a switch.
 */
export function roleOf({ dump, dhcp, radios, ports }: Pick<Told, 'dump' | 'dhcp' | 'radios' | 'ports'>): DeviceRole {
  const networks = list(dump?.interface, 256).map(record)
  const isWan = (name: unknown) => /^(wan|wwan|modem)/.test(String(name))
  const routed = networks.some(
    network =>
      network.up === true &&
      (isWan(network.interface) || !String(network.l3_device).startsWith('br-')) &&
      list(network.route, 256)
        .map(record)
        .some(route => route.mask === 0),
  )
  const serves = dhcp.some(
    ({ type, options }) => type === 'dhcp' && options.dhcpv4 !== 'disabled' && options.ignore !== '1',
  )
  if (routed || (serves && networks.some(network => isWan(network.interface)))) return 'gateway'
  if (radios > 0) return 'ap'
  return ports > 3 ? 'switch' : 'other'
}

/** What hostapd was built without: LuCI tells it, else hostapd itself. What neither tells is not known to be missing. */
function lacks(told: Told, feature: string): boolean {
  const hostapd = told.features?.hostapd
  if (isRecord(hostapd)) return hostapd[feature] !== true
  return told.probe?.hostapd !== undefined && !told.probe.hostapd.has(feature)
}

/** An older release than `year.month`; one that does not say its number is none. */
function before({ board }: Told, release: `${number}.${number}`): boolean {
  const own = /^\d\d\.\d\d/.exec(String(record(board.release).version))?.[0]
  return own !== undefined && own < release
}

function capabilities(told: Told): string[] {
  const { probe } = told
  const known: [string, boolean][] = [
    ['root', true],
    ['uci', true],
    ['luci', told.objects.has('luci')],
    ['wifi', told.radios > 0],
    ['hostapd', told.objects.has('hostapd') || [...told.objects].some(name => name.startsWith('hostapd.'))],
    ['noSae', lacks(told, 'sae')],
    ['noSaeKeys', before(told, '24.10')],
    ['noOwe', lacks(told, 'owe')],
    ['noEap', lacks(told, 'eap')],
    // The scripts in ucode that know no WEP leave such a network open, whatever hostapd could do.
    ['noWep', lacks(told, 'wep') || (probe?.wifi.has('ucode') === true && !probe.wifi.has('wep'))],
    // Those of OpenWrt 25.12.
    ['ucodeWifi', probe?.wifi.has('ucode') === true],
    ['noMesh', probe !== undefined && !probe.tools.has('mesh')],
    ['noWnm', probe?.hostapd !== undefined && !probe.hostapd.has('wnm')],
    ['swconfig', told.features?.swconfig === true || told.boardJson.switch !== undefined],
    ['ddns', probe?.services.has('ddns') === true],
    ['fw4', told.features?.firewall4 === true || probe?.tools.has('fw4') === true],
    ['nftBridge', probe?.kernel.has('bridge') === true],
    ['flowOffload', probe?.kernel.has('offload') === true],
    ['noPppoe', told.protocols !== undefined && told.protocols.pppoe === undefined],
    ['noDhcpv6', told.protocols !== undefined && told.protocols.dhcpv6 === undefined],
    ['usteer', probe?.services.has('usteer') === true],
    ['mwan3', probe?.services.has('mwan3') === true],
    ['noVlan', probe !== undefined && !probe.kernel.has('vlan')],
    ['tc', probe?.tools.has('tc') === true && probe.kernel.has('mirror')],
    ['htb', probe?.kernel.has('htb') === true],
    ['nftset', probe?.names.has('nftset') === true],
    ['uhttpd', probe?.services.has('uhttpd') === true],
    ['leds', told.leds.length > 0],
  ]
  return known.filter(([, has]) => has).map(([name]) => name)
}

/** OpenWrt has no standard place for a serial number: it stays absent. */
export function readFacts(told: Told): Facts {
  const { board, boardJson } = told
  const release = record(board.release)
  const description = clean(release.description)
  const kernel = clean(board.kernel, 64)
  return present<Facts>({
    hostname: clean(board.hostname),
    ...splitModel(board.board_name ?? record(boardJson.model).id, board.model ?? record(boardJson.model).name),
    firmware: description ?? clean([release.distribution, release.version].filter(Boolean).join(' ')),
    hardware: clean(board.system, 128),
    mac: baseMac(told),
    description: clean([description, clean(release.target), kernel && `Linux ${kernel}`].filter(Boolean).join(', ')),
    kind: roleOf(told),
    capabilities: capabilities(told),
  })
}
