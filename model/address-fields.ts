import * as z from 'zod'
import {
  addressOrSegmentProblem,
  cidr4Problem,
  cidr6Problem,
  hostIpv4Problem,
  hostIpv6Problem,
  interfaceAddressProblem,
  ipv4Number,
  ipv6Groups,
  prefixOfMask,
  privateSegmentProblem,
} from './addresses'
import { judged, meta, text, trimmed, valid } from './field-types'
import { isDhcpOption, isDomain, isHostname, isLanVlan, normalRanges, portsProblem, vlansProblem } from './rules'

const serverProblem = (one: string) =>
  one.includes(':') ? hostIpv6Problem(one) : isDomain(one) ? undefined : hostIpv4Problem(one)

function destinationProblem(one: string) {
  const problem = isDomain(one) ? undefined : addressOrSegmentProblem(one)
  return problem === 'addressOrSegment' ? 'destination' : problem
}

function radiusClientProblem(one: string) {
  const problem = one.includes('/') ? cidr4Problem(one) : hostIpv4Problem(one)
  if (problem) return problem === 'hostBits' ? problem : ('ipv4OrSegment' as const)
  return /^(127|0)\./.test(one) || Number(one.split('/')[1] ?? 32) < 8 ? ('radiusClientWide' as const) : undefined
}

/** `radius://radius.example/` as `radius.example`; with a port, a path or a user it is no server's name. */
const hostOfUrl = (one: string): string => {
  const [, address, name] = /^(?:radius|https?):\/\/(?:\[([0-9a-f:.]+)\]|([^/?#@:\s]+))\/?$/i.exec(one) ?? []
  return address ?? name ?? one
}

/** Addresses, names and numbers of networks; `f` of fields.ts has them. */
export const addressFields = {
  /** Rule P1: any address, then what a host can have, then segments. */
  ipv4: () => text(trimmed(valid(one => ipv4Number(one) !== undefined, 'ipv4')), 'P1'),
  ipv6: () => text(trimmed(valid(one => ipv6Groups(one) !== undefined, 'ipv6')), 'P1'),
  hostIpv4: () => text(trimmed(judged(hostIpv4Problem)), 'P1'),
  /** Proposed from the clients that are connected, others can be typed. */
  clientIpv4: () => meta(trimmed(judged(hostIpv4Problem)), { widget: 'source', source: 'clients', rule: 'P1' }),
  hostIpv6: () => text(trimmed(judged(hostIpv6Problem)), 'P1'),
  /** Of either version. */
  hostIp: () => text(trimmed(judged(one => (one.includes(':') ? hostIpv6Problem(one) : hostIpv4Problem(one)))), 'P1'),
  cidr4: () => text(trimmed(judged(cidr4Problem)), 'P1'),
  cidr6: () => text(trimmed(judged(cidr6Problem)), 'P1'),
  mask4: () => text(trimmed(valid(one => prefixOfMask(one) !== undefined, 'mask')), 'P1'),
  prefix4: (min = 0) => meta(z.int().min(min).max(32), { widget: 'number', rule: 'P1' }),
  prefix6: (min = 0) => meta(z.int().min(min).max(128), { widget: 'number', rule: 'P1' }),
  /** An address or a segment, of either version. */
  addressOrSegment: () => text(trimmed(judged(addressOrSegmentProblem)), 'P1'),
  /** Rule P1: IPv4 alone, a segment of no more than a /8, and nothing of this machine's own. */
  radiusClientAddress: () => text(trimmed(judged(radiusClientProblem)), 'P1'),
  /** Rule N2. */
  privateSegment: () => text(trimmed(judged(privateSegmentProblem)), 'N2'),
  /** Rules N2 and P1: an interface's address with its prefix, `192.168.1.1/24`. */
  interfaceAddress: () => text(trimmed(judged(interfaceAddressProblem)), 'N2'),

  /** Rule P2: a comma list with ranges, kept without spaces; `numberRanges` reads it. */
  ports: () => text(trimmed(judged(portsProblem)).transform(normalRanges), 'P2'),
  port: () => meta(z.int().min(1).max(65_535), { widget: 'number', rule: 'P2' }),
  /** Rule N14. */
  lanVlan: () => meta(z.int().refine(isLanVlan, 'lanVlan'), { widget: 'number', rule: 'N14' }),
  /** Rule N15. */
  portVlan: () => meta(z.int().min(0).max(4093), { widget: 'number', rule: 'N15' }),
  /** Rule N15: a comma list with ranges, kept without spaces; `numberRanges` reads it. */
  vlanList: () => text(trimmed(judged(vlansProblem)).transform(normalRanges), 'N15'),
  /** Rule N19: 1 is the highest. */
  metric: () => meta(z.int().min(1).max(255), { widget: 'number', rule: 'N19' }),
  /** Rule G20. */
  dhcpOption: () => meta(z.int().refine(isDhcpOption, 'dhcpOption'), { widget: 'number', rule: 'G20' }),

  /** Rule P14. */
  domain: () => text(trimmed(valid(isDomain, 'domain')), 'P14'),
  /** Rule A18. */
  hostname: () => text(trimmed(valid(isHostname, 'hostname')), 'A18'),
  /** Rule A18, of a device itself. */
  ownHostname: () => meta(trimmed(valid(isHostname, 'hostname')), { widget: 'text', rule: 'A18', deviceOnly: true }),
  /** Rule G3: a server by its address or its domain. */
  host: () => text(trimmed(valid(one => !serverProblem(one), 'addressFormat')), 'P14'),
  /** A name with everything below it, or an address or segment of either version. */
  destination: () =>
    text(
      trimmed(judged(destinationProblem)).transform(one => one.toLowerCase()),
      'P14',
    ),
  /** Rule G3: a RADIUS server by its address, its domain or a URL of one of them, kept without what is around it. */
  radiusServer: () =>
    text(
      trimmed(
        z
          .string()
          .transform(hostOfUrl)
          .pipe(judged(one => (serverProblem(one) ? 'radiusServer' : undefined))),
      ),
      'G3',
    ),
} as const
