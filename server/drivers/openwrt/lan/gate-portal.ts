import type { Gate, NativeBlock, RenderInput, Warning } from '../../driver'
import type { Announced } from '../../unix/gate-api'
import { pageHeaders } from '../../unix/gate-away'
import { pageAddress, pageNameOf } from '../../unix/gate-page'
import { redirectScript } from '../../unix/gate-redirect'
import { openNames, portalPlace, redirectPort } from '../../unix/gate-rules'
import type { LanNetwork } from '../../unix/lans'
import { marked } from '../../unix/secret'
import { vlanNetwork } from '../ports/vlans'
import { awayFolder, gateFiles, plainFileBlocks } from '../uci/files'
import { type Package, prefix } from '../uci/package'
import { reloadService } from '../uci/reload-service'
import { uciBlock } from '../uci/uci'

// What leads guests to the portal: the system's own web server, as an instance beside that of its pages.

const section = `uhttpd.${prefix}portal`
const home = gateFiles.answer.path.replace(/\/[^/]*$/, '')

// Whatever is asked for is not there, and the page for that is the script; `/` is there.
const script = redirectScript({
  read: `ip=$REMOTE_ADDR host=$HTTP_HOST path=$REQUEST_URI
url=$(uci -q get ${section}.lanward_url) key=$(uci -q get ${section}.lanward_key)
[ -n "$url" ] && [ -n "$key" ] || exit 1`,
  lans: gateFiles.lans.path,
  hex: `hexdump -v -e '/1 "%02x"'`,
  // The server says itself how long it is, and closes.
  head: (status, headers) => `Status: ${status}\\r\\n${headers}\\r\\n`,
  away: {
    folder: awayFolder,
    scratch: '/var/run/lanward-away.',
    // uclient-fetch, busybox's or GNU's: each says a status that is no success. 4xx is an answer.
    answers: `answers() {
  case $address in *:*) address="[$address]" ;; esac
  said=$(wget -T 3 -O /dev/null "http://$address:$port/portal/" </dev/null 2>&1) && return 0
  case $said in *'HTTP error 4'* | *'HTTP/1.'?' 4'* | *'ERROR 4'*) return 0 ;; esac
  return 1
}`,
    head: `Status: 200 OK\\r\\n${pageHeaders}\\r\\n`,
  },
})

const page = gateFiles.answer.path.slice(home.length)

/** The address and the key are options of ours that the server itself does not read. */
export const portalBlocks = ({ url, key }: Gate): NativeBlock[] => [
  ...plainFileBlocks(gateFiles.answer, script, { kind: 'lan' }),
  uciBlock(
    section,
    'uhttpd',
    [
      ['listen_http', [`0.0.0.0:${redirectPort}`, `[::]:${redirectPort}`]],
      ['home', home],
      ['index_page', [page.slice(1)]],
      ['error_page', page],
      ['interpreter', ['.sh=/bin/sh']],
      ['no_dirlists', '1'],
      ['no_symlinks', '1'],
      ['max_requests', '16'],
      ['max_connections', '128'],
      ['script_timeout', '10'],
      ['network_timeout', '10'],
      ['http_keepalive', '0'],
      ['lanward_url', url],
      ['lanward_key', marked(key)],
    ],
    { kind: 'lan' },
  ),
]

/** Where guests have to get, whatever their zone is shut against. */
export function guestBlocks(one: LanNetwork, zone: string, { url }: Gate): NativeBlock[] {
  const { address, port } = portalPlace(url)
  const about = { kind: 'lan', document: one.id }
  const rule = (of: string, more: readonly (readonly [string, string])[]) =>
    uciBlock(
      `firewall.${vlanNetwork(one.vlan)}_${of}`,
      'rule',
      [['name', `${zone} ${of}`], ['src', zone], ...more, ['proto', ['tcp']], ['target', 'ACCEPT']],
      about,
    )
  return [
    rule('portal', [
      ['dest', '*'],
      ['dest_ip', address],
      ['dest_port', `${port}`],
    ]),
    rule('redirect', [['dest_port', `${redirectPort}`]]),
  ]
}

/** What the name server answers for the portal's name, whoever asks: it is one for all networks. */
export const nameBlock = (announced: Announced | undefined): NativeBlock[] =>
  announced
    ? [
        uciBlock(
          `dhcp.${prefix}portal`,
          'domain',
          [
            ['name', announced.name],
            ['ip', announced.address],
          ],
          { kind: 'lan' },
        ),
      ]
    : []

/** By which name guests find their page, likewise. */
export function pageBlock(one: LanNetwork, input: Pick<RenderInput, 'gate'>): NativeBlock[] {
  const name = pageNameOf(one, input)
  if (name === undefined) return []
  const values: [string, string][] = [
    ['name', name],
    ['ip', pageAddress],
  ]
  return [uciBlock(`dhcp.${vlanNetwork(one.vlan)}_page`, 'domain', values, { kind: 'lan', document: one.id })]
}

/** The name server puts what it finds for open names into the gate's sets, where it was built for that. */
export const followBlocks = (one: LanNetwork): NativeBlock[] =>
  openNames(one).length === 0
    ? []
    : ['4', '6'].map(family =>
        uciBlock(
          `dhcp.${vlanNetwork(one.vlan)}_open${family}`,
          'ipset',
          [
            ['name', [`found${family}_${one.vlan}`]],
            ['domain', openNames(one)],
            ['table', 'lanward_gate'],
            ['table_family', 'inet'],
            ['family', family],
          ],
          { kind: 'lan', document: one.id },
        ),
      )

/** In a list of the kernel's, which no rule of ours keeps the check from. */
const listening = `:${redirectPort.toString(16).toUpperCase()} 0\\{8\\}\\(0\\{24\\}\\)\\{0,1\\}:0000 0A`

export const uhttpd: Package = {
  name: 'uhttpd',
  reload: reloadService('uhttpd'),
  lists: ['listen_http', 'index_page', 'interpreter'],
  async verify({ ssh }): Promise<Warning[]> {
    const ask = `left=10
until cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q '${listening}'; do
  [ $left -gt 0 ] || exit 1
  left=$((left - 1)); sleep 1
done`
    const { code } = await ssh.exec('sh -s', { input: ask, timeoutMs: 20_000 })
    return code === 0 ? [] : [{ code: 'portalDown', kind: 'lan' }]
  },
}
