import type { NativeBlock } from '../../driver'
import { marked } from '../../unix/secret'
import { type Uplink, updateServer } from '../../unix/wans'
import { fileBlock } from '../area/area'
import { startPath, unitPath } from '../base/oneshot'
import { linkOf } from '../uplinks/wan-links'

export const ddnsName = 'lanward-ddns'
export const ddnsPath = '/etc/lanward/ddns.conf'
/** What the client remembers to have told. */
export const ddnsCache = `/var/cache/${ddnsName}`

const unitText = `[Unit]
Description=Dynamic DNS, as set in Lanward
After=network.target
ConditionPathExists=${ddnsPath}
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/sbin/inadyn --foreground --no-pidfile --continue-on-error --cache-dir=${ddnsCache} --config=${ddnsPath}
CacheDirectory=${ddnsName}
CapabilityBoundingSet=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
Restart=always
RestartSec=60
`

/** libConfuse expands \${VARIABLES} in double quotes; in single ones a quote and a backslash are escaped. */
const word = (value: string) => `'${value.replace(/['\\]/g, '\\$&')}'`

function confText(one: Uplink): string {
  const { host, path, secure } = updateServer(one)
  return `# Written by Lanward. Changes made here are replaced.
period = 60
iface = ${word(linkOf(one))}
custom lanward {
    username = ${word(one.ddnsUser ?? '')}
    password = ${marked(word(one.ddnsPassword ?? ''))}
    ddns-server = ${word(host)}
    ddns-path = ${word(`${path}?hostname=%h&myip=%i`)}
    hostname = ${word(one.ddnsHost ?? '')}
    ssl = ${secure}
}
`
}

/** Rule P8: at most one way has it. inadyn tells the address of its interface whenever that changes. */
export function ddnsBlocks(all: readonly Uplink[]): NativeBlock[] {
  const one = all.find(way => way.ddns !== 'off')
  if (!one) return []
  const about = { kind: 'wan', document: one.id }
  return [
    fileBlock(ddnsPath, confText(one), about),
    fileBlock(unitPath(ddnsName), unitText, about),
    fileBlock(startPath(ddnsName), `[Unit]\nWants=${ddnsName}.service\n`, about),
  ]
}
