import type { NativeBlock } from '../driver'
import { quote } from '../shell'
import {
  type Area,
  blockPath,
  type Check,
  exactly,
  followTable,
  named,
  nameIn,
  type OwnedFiles,
  reloadNetworks,
  verifyAll,
} from './area'
import { translation, vlanPath, wanPath } from './internet'
import { startPath } from './lan'
import { unitPath, wantsPath } from './oneshot'
import { pathsName, pathsScriptPath, removePaths } from './paths'

const files = { links: named(wanPath('*')), vlans: named(vlanPath('*')) }

/** networkd leaves what it had set on a link that it loses, and a VLAN that it made. */
const settleLink = (name: string) =>
  `[ -e ${wanPath(name)} ] || ip -4 addr flush dev ${quote(name)} scope global 2>/dev/null || :`
const settleVlan = (name: string) => `[ -e ${vlanPath(name)} ] || ip link del ${quote(name)} 2>/dev/null || :`

const settlePaths = `if [ -e ${pathsScriptPath} ]; then serve restart ${pathsName}.service || return 1
else serve stop ${pathsName}.service 2>/dev/null
${removePaths}
fi`

const settleTranslation = followTable(translation, 'ip lanward_nat')

function settle(changed: readonly string[]): string[] {
  const touched = (...paths: string[]) => paths.some(path => changed.includes(path))
  const names = (pattern: OwnedFiles) => changed.flatMap(path => nameIn(pattern, path))
  const [links, vlans] = [names(files.links), names(files.vlans)]
  return [
    ...(links.length + vlans.length > 0 ? [reloadNetworks] : []),
    ...links.map(settleLink),
    ...vlans.map(settleVlan),
    ...(touched(translation.file, unitPath(translation.name)) ? [settleTranslation] : []),
    ...(touched(pathsScriptPath, unitPath(pathsName)) ? [settlePaths] : []),
  ]
}

const waitMs = 30_000

/** An address on each interface that is set here, by DHCP too, and the script at work. */
function checkOf(block: NativeBlock): Check | undefined {
  const path = blockPath(block)
  const [name] = nameIn(files.links, path)
  const addressed = /^(?:DHCP=ipv4|Address=.*)$/m.test(block.text)
  if (name && addressed)
    return {
      line: `ip -o -4 addr show dev ${quote(name)} scope global | grep -q inet`,
      warning: { code: 'wanAddressMissing', kind: 'wan', document: block.document, values: { interface: name } },
    }
  return path === pathsScriptPath
    ? { line: `systemctl -q is-active ${pathsName}.service`, warning: { code: 'pathsDown', kind: 'wan' } }
    : undefined
}

const verify: Area['verify'] = (session, blocks) =>
  verifyAll(
    session,
    blocks.flatMap(block => checkOf(block) ?? []),
    waitMs,
  )

/** Ways to the internet, and the routes that one script keeps. */
export const internetArea: Area = {
  files: [
    files.links,
    files.vlans,
    exactly(startPath('lanward-wan-networkd')),
    exactly(translation.file),
    exactly(unitPath(translation.name)),
    exactly(wantsPath(translation.name)),
    exactly(pathsScriptPath),
    exactly(unitPath(pathsName)),
    exactly(startPath(pathsName)),
  ],
  settle,
  verify,
}
