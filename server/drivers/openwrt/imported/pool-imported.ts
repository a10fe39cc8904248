import { ipv4Number, ipv4Text, type Segment4 } from '@/model/addresses'
import { type DhcpOption, dhcpOptions, optionWords } from '../../unix/dhcp-options'
import type { Announced } from '../../unix/gate-api'
import { addressing, type LanNetwork } from '../../unix/lans'
import type { ImportedItem } from '../../unmanaged'
import { optionSet, spanSeconds } from '../options/meaning'
import { isOn, only } from '../uci/importable'
import { formerValues, type OptionValues } from '../uci/imported'
import { listOf, type Section } from '../uci/sections'

// The pool of one of the system's own networks, as fields of its document and back.

/** dnsmasq's lease time in minutes; undefined where it is no whole number of them. */
function leaseMinutes(text: string | undefined): number | undefined {
  const minutes = (spanSeconds(text ?? '12h') ?? Number.NaN) / 60
  return Number.isInteger(minutes) ? minutes : undefined
}

/** Options of a pool, and the fields that say them. */
export const poolOptionFields: Readonly<Record<string, readonly string[]>> = {
  start: ['poolStart'],
  limit: ['poolEnd'],
  leasetime: ['lease'],
  dhcpv4: ['dhcp'],
  ignore: ['dhcp'],
  dhcp_option: ['options', 'dns1', 'dns2', 'domain'],
}
/** Without these no pool can be said. */
export const neededOfPool = ['dhcp', 'poolStart', 'poolEnd']

const serves = (ignore: string | undefined, dhcpv4: string | undefined) => !isOn(ignore, false) && dhcpv4 !== 'disabled'

/** `6,1.1.1.1,9.9.9.9` and `15,"lan.test"` as fields; any other is an option as it stands. */
function optionFields(values: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const options: { code: number; type: string; value: string }[] = []
  for (const value of values) {
    const [, code = '', content = ''] = /^(\d{1,3}),(.*)$/s.exec(value) ?? []
    const text = content.replace(/^"(.*)"$/s, '$1')
    const servers = content.split(',')
    if (code === '6' && servers.length <= 2) [fields.dns1, fields.dns2] = servers
    else if (code === '15') fields.domain = text
    else if (/^[\d.]+(,[\d.]+)*$/.test(content) && content.includes('.'))
      options.push({ code: Number(code), type: 'address', value: content })
    else options.push({ code: Number(code), type: 'text', value: text.replace(/\\(["\\])/g, '$1') })
  }
  return { ...fields, options }
}

const spanOf = ({ first }: Segment4, pool: Section): [start: number, end: number] => {
  const start = first + Number(only(pool, 'start') ?? 100)
  return [start, start + Number(only(pool, 'limit') ?? 150) - 1]
}

/** What a pool says of a network's addresses; what is no number is refused by its field. */
export function poolFields(segment: Segment4 | undefined, pool: Section): Record<string, unknown> | undefined {
  if (!segment) return undefined
  if (!serves(only(pool, 'ignore'), only(pool, 'dhcpv4'))) return { dhcp: false }
  const [start, end] = spanOf(segment, pool)
  return {
    dhcp: true,
    poolStart: ipv4Text(start),
    poolEnd: ipv4Text(end),
    lease: leaseMinutes(only(pool, 'leasetime')) ?? Number.NaN,
    ...optionFields(listOf(pool, 'dhcp_option') ?? []),
  }
}

/** The system lets no pool go beyond the subnet's last host, whatever its length. */
export function clipped(segment: Segment4 | undefined, pool: Section): { poolEnd?: string } {
  if (!segment) return {}
  const [start, end] = spanOf(segment, pool)
  const last = segment.last - 1
  return start < last && end > last ? { poolEnd: ipv4Text(last) } : {}
}

const former = (item: ImportedItem, option: string) => formerValues(item, option)?.[0]

/** What dnsmasq tells by itself: the gateway, and itself as name server. */
const isImplied = (own: string) => (option: DhcpOption) =>
  (option.code === 3 || option.code === 6) && option.addresses?.join() === own

function optionList(one: LanNetwork, announced: Announced | undefined): string[] {
  const options = dhcpOptions(one, announced && [announced.option]).filter(
    option => !isImplied(addressing(one).own)(option),
  )
  const domain = one.domain && !options.some(option => option.code === 15) ? [`15,"${one.domain}"`] : []
  return [...domain, ...options.map(optionWords)]
}

export function poolOptions(item: ImportedItem, one: LanNetwork, announced: Announced | undefined): OptionValues {
  const served = serves(former(item, 'ignore'), former(item, 'dhcpv4'))
  if (!one.dhcp) return served ? { dhcpv4: 'disabled' } : {}
  const { first } = addressing(one)
  const [start = 0, end = 0] = [one.poolStart, one.poolEnd].map(text => ipv4Number(text ?? '') ?? 0)
  const list = optionList(one, announced)
  return {
    ...(served ? {} : { ignore: null, dhcpv4: 'server' }),
    start: start - first === Number(former(item, 'start') ?? 100) ? undefined : String(start - first),
    limit: end - start + 1 === Number(former(item, 'limit') ?? 150) ? undefined : String(end - start + 1),
    leasetime: leaseMinutes(former(item, 'leasetime')) === one.lease ? undefined : `${one.lease}m`,
    dhcp_option: optionSet(list) === optionSet(formerValues(item, 'dhcp_option') ?? []) ? undefined : list,
  }
}

/** Options of an imported pool that its document asks for and that were not imported. */
export const leftPoolOptions = (
  one: LanNetwork,
  pool: ImportedItem | undefined,
  announced: Announced | undefined,
): string[] =>
  pool
    ? Object.entries(poolOptions(pool, one, announced)).flatMap(([option, value]) =>
        value === undefined || option in pool.options ? [] : option,
      )
    : []
