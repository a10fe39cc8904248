import { isIPv6 } from 'node:net'
import type { SyslogLevel, SystemFields } from '@/model/system/system'
import type { NativeBlock, RenderInput } from '../../driver'
import { quote } from '../../shell'
import { fileBlock } from '../area/area'
import { ownText, startBlock } from '../area/drop-in'
import { formerForward, forwardImported } from '../area/imported'
import { selectorLevels } from '../unmanaged/syslog-levels'
import { forwardTarget } from '../unmanaged/system'

// Messages of the device's log to a server, by rsyslog's omfwd.

const about = { kind: 'system', document: 'system' }

export const syslogPath = '/etc/rsyslog.d/60-lanward.conf'
// Beside rsyslog's own files: where it is confined, it reads no others. Not `.conf`, so that it is not read as rules.
export const syslogCaPath = '/etc/rsyslog.d/lanward-ca.pem'
export const syslogStart = 'rsyslog'
// rsyslog takes the system's messages from this socket alone (8.2504, Debian 13), and it finds its service by an alias that
// only "enable" makes.
export const syslogSocket = '/etc/systemd/system/syslog.socket.d/lanward.conf'
const socketBlock = () => fileBlock(syslogSocket, ownText('[Socket]', 'Service=rsyslog.service'))

const selectorOf = (level: SyslogLevel) => `*.${selectorLevels[level]}`
const peerOf = ({ syslogPeer, syslogHost = '' }: SystemFields) => syslogPeer ?? syslogHost

// RFC 5425: encrypted, each message after its length, and the server is the one that the certificate names.
const secured = (set: SystemFields) => [
  `  StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="x509/name" StreamDriver.CAFile="${syslogCaPath}"`,
  `  StreamDriverPermittedPeers="${peerOf(set)}" template="RSYSLOG_SyslogProtocol23Format" TCP_Framing="octet-counted"`,
]

/** What sends messages to the server; they wait in memory while it is away, and never hold up the device's own log. */
export const sendAction = (set: SystemFields) => [
  `action(type="omfwd" target="${set.syslogHost}" port="${set.syslogPort}" protocol="${set.syslog === 'udp' ? 'udp' : 'tcp'}"`,
  ...(set.syslog === 'tls' ? secured(set) : []),
  '  queue.type="LinkedList" queue.size="10000" queue.timeoutEnqueue="0"',
  '  action.resumeRetryCount="-1" action.resumeInterval="5")',
]

const action = (set: SystemFields) => {
  const [first, ...more] = sendAction(set)
  return [`${selectorOf(set.syslogLevel)} ${first}`, ...more]
}

// Whose certificate it is for stands in front: the line that sends may be in a file of the system's.
const trusted = (set: SystemFields) =>
  set.syslog === 'tls'
    ? [
        fileBlock(
          syslogCaPath,
          `${ownText(`# target="${set.syslogHost}" port="${set.syslogPort}" peer="${peerOf(set)}"`)}${set.syslogCa}\n`,
          about,
        ),
      ]
    : []

/** In the system's own line, where it was imported: as it stood when that is what it said. */
export function syslogBlocks(set: SystemFields, imported: RenderInput['imported']): NativeBlock[] {
  const forward = forwardImported(imported)
  if (!forward)
    return [
      fileBlock(syslogPath, ownText(...action(set)), about),
      ...trusted(set),
      startBlock(syslogStart),
      socketBlock(),
    ]
  const before = formerForward(forward)
  const said = forwardTarget(before)
  const same =
    said?.host === set.syslogHost &&
    said?.port === set.syslogPort &&
    said?.protocol === set.syslog &&
    said?.level === set.syslogLevel
  const line = action(set).map(one => one.trim())
  return [{ id: forward.id, item: forward.id, ...about, text: same ? before : line.join(' ') }, ...trusted(set)]
}

const given = (text: string, option: string) => new RegExp(`${option}="([^"]*)"`, 'i').exec(text)?.[1] ?? ''

/**
 * A shell line that fails where the server of this file of certificates shows a certificate that the device refuses, and says why. A server
 * that does not answer is waited for; a device without openssl cannot ask, and rsyslog refuses all the same.
 */
export function certificateCheck(text: string): string | undefined {
  const [host, port, peer] = ['target', 'port', 'peer'].map(option => given(text, option))
  if (!host || !peer) return undefined
  const to = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  return `command -v openssl >/dev/null || exit 0
said=$(timeout 8 openssl s_client -connect ${quote(to)} -CAfile ${syslogCaPath} -verify_return_error -verify_hostname ${quote(peer)} </dev/null 2>&1)
why=$(printf '%s\\n' "$said" | sed -n 's/.*verify error:num=[0-9]*://p' | head -n 1)
[ -z "$why" ] || { echo "$why" >&2; exit 1; }`
}
