import type { NativeBlock } from '../../driver'
import { quote } from '../../shell'
import {
  type Area,
  blockPath,
  type Check,
  checked,
  exactly,
  follow,
  named,
  nameIn,
  type OwnFiles,
  reloadNetworks,
} from '../area/area'
import { startPath, unitPath } from '../base/oneshot'
import { pathsName, pathsScriptPath, removePaths } from '../base/paths'
import { pppoeLink, pppoePath, pppoeUnit, pppoeUnitPath, vlanPath, wanPath } from '../uplinks/wan-links'
import { ddnsCache, ddnsName, ddnsPath } from './ddns'

const files = {
  links: named(wanPath('*')),
  vlans: named(vlanPath('*')),
  dials: named(pppoePath('*'), '600'),
  dialStarts: named(startPath('lanward-pppoe-*')),
}

/** networkd leaves what it had set on a link that it loses, and a VLAN that it made. */
const settleLink = (name: string) =>
  `[ -e ${wanPath(name)} ] || ip -4 addr flush dev ${quote(name)} scope global 2>/dev/null || :`
const settleVlan = (name: string) => `[ -e ${vlanPath(name)} ] || ip link del ${quote(name)} 2>/dev/null || :`

const settlePaths = `if [ -e ${pathsScriptPath} ]; then serve restart ${pathsName}.service || return 1
else serve stop ${pathsName}.service 2>/dev/null
${removePaths}
fi`

// Whoever changes the name or the service wants it told at once, whatever was told before.
const settleDdns = `[ ! -e ${ddnsPath} ] || inadyn --check-config --config=${ddnsPath} >/dev/null || return 1
[ "$mode" = boot ] || rm -rf ${ddnsCache}/*
${follow(ddnsPath, `${ddnsName}.service`)}`

function settle(changed: readonly string[], all: readonly string[]): string[] {
  const touched = (...paths: string[]) => paths.some(path => changed.includes(path))
  const names = (pattern: OwnFiles) => changed.flatMap(path => nameIn(pattern, path))
  const [links, vlans] = [names(files.links), names(files.vlans)]
  const dials = [
    ...new Set((changed.includes(pppoeUnitPath) ? all : changed).flatMap(path => nameIn(files.dials, path))),
  ]
  return [
    // First those that are gone: a VLAN that comes under another name is not made while its number is taken on the port.
    ...vlans.map(settleVlan),
    ...(links.length + vlans.length > 0 ? [reloadNetworks] : []),
    ...links.map(settleLink),
    ...dials.map(name => follow(pppoePath(name), pppoeUnit(name))),
    ...(touched(ddnsPath, unitPath(ddnsName)) ? [settleDdns] : []),
    ...(touched(pathsScriptPath, unitPath(pathsName)) ? [settlePaths] : []),
  ]
}

const waitMs = 30_000

/** An address on each interface that is set here, by DHCP too, and the script at work. */
function checkOf(block: NativeBlock): Check | undefined {
  const path = blockPath(block)
  const [name] = nameIn(files.links, path)
  const [dial] = nameIn(files.dials, path)
  const addressed = /^(?:DHCP=(?:ipv4|yes)|Address=[\d.]+\/\d+)$/m.test(block.text)
  const link = dial ? pppoeLink(dial) : addressed ? name : undefined
  if (link)
    return {
      line: `ip -o -4 addr show dev ${quote(link)} scope global | grep -q inet`,
      warning: { code: 'wanAddressMissing', kind: 'wan', document: block.document, values: { interface: link } },
    }
  if (path === ddnsPath)
    return {
      line: `systemctl -q is-active ${ddnsName}.service`,
      warning: { code: 'ddnsDown', kind: 'wan', document: block.document },
    }
  return path === pathsScriptPath
    ? { line: `systemctl -q is-active ${pathsName}.service`, warning: { code: 'pathsDown', kind: 'wan' } }
    : undefined
}

/** Ways to the internet with their logins and dynamic DNS, and the routes that one script keeps. */
export const internetArea: Area = {
  files: [
    files.links,
    files.vlans,
    files.dials,
    files.dialStarts,
    exactly(pppoeUnitPath),
    exactly(ddnsPath, '600'),
    exactly(unitPath(ddnsName)),
    exactly(startPath(ddnsName)),
    exactly(startPath('lanward-wan-networkd')),
    exactly(pathsScriptPath),
    exactly(unitPath(pathsName)),
    exactly(startPath(pathsName)),
  ],
  settle,
  secret: /^((?: {4}password = |password ))(.*)$/gm,
  verify: checked(checkOf, waitMs),
}
