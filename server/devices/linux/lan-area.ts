import type { NativeBlock, Warning } from '../driver'
import { quote } from '../shell'
import { type Area, blockPath, follow, type OwnedFiles } from './area'
import { dhcpPath, dhcpUnit, dhcpUnitPath } from './dnsmasq'
import { isolation, networkPath, startPath } from './lan'
import { type LinuxSession, script } from './observe'
import { unitPath, wantsPath } from './oneshot'
import { removeVlans, vlansName, vlansPath } from './vlan-ports'

const exactly = (path: string, mode: OwnedFiles['mode'] = '644'): OwnedFiles => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  glob: path,
  mode,
})
const named = (path: string, mode: OwnedFiles['mode'] = '644'): OwnedFiles => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.').replace('*', '[A-Za-z0-9._@+-]+')}$`),
  glob: path,
  mode,
})

const nameIn = (pattern: OwnedFiles, path: string): string[] => {
  const [before = '', after = ''] = pattern.glob.split('*')
  return pattern.path.test(path) ? [path.slice(before.length, path.length - after.length)] : []
}
const files = {
  networks: named(networkPath('*')),
  dhcp: named(dhcpPath('*')),
  dhcpStart: named(startPath('lanward-dhcp-*')),
}

/** networkd leaves what it had set on a link that it loses: a VLAN's goes with the link, the port itself stays. */
const settleNetwork = (name: string) =>
  `[ -e ${quote(networkPath(name))} ] || ip addr flush dev ${quote(name)} scope global 2>/dev/null || :`

const settleNetworks = `if [ "$mode" != boot ]; then
systemctl start systemd-networkd && networkctl reload
fi`

const settleVlans = `if [ -e ${vlansPath} ]; then serve restart ${vlansName}.service || return 1
elif [ "$mode" != boot ]; then systemctl stop ${vlansName}.service 2>/dev/null
${removeVlans([])}
fi`

const settleDhcp = (name: string) => {
  const path = dhcpPath(name)
  return `[ "$mode" = boot ] || [ ! -e ${path} ] || dnsmasq --test --conf-file=${path} >/dev/null || return 1
${follow(path, dhcpUnit(name))}`
}

const settleIsolation = `[ ! -e ${isolation.file} ] || nft -c -f ${isolation.file} || return 1
if [ -e ${isolation.file} ]; then serve restart ${isolation.name}.service || return 1
else serve stop ${isolation.name}.service 2>/dev/null; nft delete table inet lanward_lan 2>/dev/null; fi`

function settle(changed: readonly string[], all: readonly string[]): string[] {
  const touched = (...paths: string[]) => paths.some(path => changed.includes(path))
  const served = changed.includes(dhcpUnitPath) ? all : changed
  const names = (pattern: OwnedFiles, paths: readonly string[]) => [
    ...new Set(paths.flatMap(path => nameIn(pattern, path))),
  ]
  const addressed = names(files.networks, changed)
  return [
    ...(addressed.length > 0 ? [settleNetworks, ...addressed.map(settleNetwork)] : []),
    ...(touched(vlansPath, unitPath(vlansName)) ? [settleVlans] : []),
    ...names(files.dhcp, served).map(settleDhcp),
    ...(touched(isolation.file, unitPath(isolation.name)) ? [settleIsolation, ':'] : []),
  ]
}

const waitMs = 15_000

/** What an interface lacks: the address that its file says, or the service of its clients. */
function checkOf(block: NativeBlock): { name: string; line: string; code: string } | undefined {
  const path = blockPath(block)
  const [address] = /^Address=(.*)$/m.exec(block.text)?.slice(1) ?? []
  const [network] = nameIn(files.networks, path)
  const [served] = nameIn(files.dhcp, path)
  if (network && address)
    return {
      name: network,
      line: `ip -o -4 addr show dev ${quote(network)} | grep -qF ${quote(` ${address} `)}`,
      code: 'lanAddressMissing',
    }
  return served
    ? { name: served, line: `systemctl -q is-active ${quote(dhcpUnit(served))}`, code: 'lanDhcpDown' }
    : undefined
}

async function verify(session: LinuxSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const until = Date.now() + waitMs
  const problems: Warning[] = []
  for (const block of blocks) {
    const check = checkOf(block)
    if (!check) continue
    while ((await script(session, check.line, [], 10_000)).code !== 0) {
      if (Date.now() > until) {
        const values = { interface: check.name }
        problems.push({ code: check.code, kind: 'lan', document: block.document, values })
        break
      }
      await new Promise(wake => setTimeout(wake, 500))
    }
  }
  return problems
}

/** Addresses, VLANs, DHCP and isolation of the LAN's networks. */
export const lanArea: Area = {
  files: [
    files.networks,
    files.dhcp,
    files.dhcpStart,
    exactly(dhcpUnitPath),
    exactly(startPath('lanward-networkd')),
    exactly(vlansPath),
    exactly(unitPath(vlansName)),
    exactly(startPath(vlansName)),
    exactly(isolation.file),
    exactly(unitPath(isolation.name)),
    exactly(wantsPath(isolation.name)),
  ],
  settle,
  verify,
}
