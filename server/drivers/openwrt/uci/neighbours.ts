import type { NativeBlock } from '../../driver'
import { uciBlock } from './uci'

/** Without these nobody of a zone finds the gateway by IPv6, RFC 4890 section 4.4.1. `src`: a zone, or `*`. */
export const neighbourRule = (name: string, title: string, src: string, about: Partial<NativeBlock>): NativeBlock =>
  uciBlock(
    `firewall.${name}`,
    'rule',
    [
      ['name', title],
      ['family', 'ipv6'],
      ['src', src],
      ['proto', ['icmp']],
      [
        'icmp_type',
        ['router-solicitation', 'router-advertisement', 'neighbour-solicitation', 'neighbour-advertisement'],
      ],
      ['target', 'ACCEPT'],
    ],
    about,
  )
