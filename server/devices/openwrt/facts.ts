import type { DeviceKind, Facts, Interface } from '../observation'
import { clean, isRecord, list, mac, present, record } from '../unix/text'

type Table = Record<string, unknown>
export type Told = {
  board: Table
  boardJson: Table
  features?: Table
  dump?: Table
  dhcp?: Table
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
export function kindOf({ dump, dhcp, radios, ports }: Pick<Told, 'dump' | 'dhcp' | 'radios' | 'ports'>): DeviceKind {
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
  const serves = Object.values(record(dhcp?.values))
    .map(record)
    .some(section => section['.type'] === 'dhcp' && section.dhcpv4 !== 'disabled' && section.ignore !== '1')
  if (routed || (serves && networks.some(network => isWan(network.interface)))) return 'gateway'
  if (radios > 0) return 'ap'
  return ports > 3 ? 'switch' : 'other'
}

function capabilities(told: Told): string[] {
  const hostapd = told.features?.hostapd
  const known: [string, boolean][] = [
    ['root', true],
    ['uci', true],
    ['luci', told.objects.has('luci')],
    ['wifi', told.radios > 0],
    ['hostapd', told.objects.has('hostapd') || [...told.objects].some(name => name.startsWith('hostapd.'))],
    // Only LuCI tells what hostapd was built with: what it does not tell is not known to be missing.
    ['noSae', isRecord(hostapd) && hostapd.sae !== true],
    ['noOwe', isRecord(hostapd) && hostapd.owe !== true],
    ['noEap', isRecord(hostapd) && hostapd.eap !== true],
    ['noWep', isRecord(hostapd) && hostapd.wep !== true],
    ['swconfig', told.features?.swconfig === true || told.boardJson.switch !== undefined],
    ['fw4', told.features?.firewall4 === true],
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
    kind: kindOf(told),
    capabilities: capabilities(told),
  })
}
