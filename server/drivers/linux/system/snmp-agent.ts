import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { SystemFields } from '@/model/system/system'
import { marked } from '../../unix/secret'

export const agentPath = '/etc/lanward/snmpd.conf'
export const agentUnit = '/etc/systemd/system/snmpd.service.d/lanward.conf'
export const agentStart = 'snmpd'

const quoted = (text: string | undefined) => marked(`"${text}"`)

const linkTrap = '.1.3.6.1.6.3.1.1.5'
const ifIndex = '.1.3.6.1.2.1.2.2.1.1'
const ifOperStatus = '.1.3.6.1.2.1.2.2.1.8'
/** Seconds between two looks of the agent at its own links. */
const lookSeconds = 5

/** Of the agent's own user, by which it looks at itself: a secret made of one that it has, so that two plans are the same. */
const ownKey = ({ snmpAuthKey, snmpCommunity }: SystemFields) =>
  createHash('sha256')
    .update(`snmpd itself ${snmpAuthKey ?? snmpCommunity}`)
    .digest('hex')
    .slice(0, 32)

/**
 * Where it sends traps. Its own switch for those of links needs MIB files that Debian does not have: it looks at links by
 * numbers instead.
 */
function trapText(set: SystemFields): string[] {
  const { snmpTrapHost: host, snmpTrapPort: port, snmpCommunity, snmpUser, snmpAuthKey, snmpPrivKey } = set
  if (host === undefined) return []
  const to = isIPv6(host) ? `udp6:[${host}]:${port}` : `udp:${host}:${port}`
  const by =
    snmpUser === undefined
      ? `-v 2c -c ${quoted(snmpCommunity)}`
      : `-v 3 -l authPriv -u "${snmpUser}" -a SHA -A ${quoted(snmpAuthKey)} -x AES -X ${quoted(snmpPrivKey)}`
  return [
    `trapsess ${by} ${to}`,
    'authtrapenable 1',
    `createUser "_internal" SHA ${quoted(ownKey(set))}`,
    'iquerySecName _internal',
    'rouser "_internal" auth',
    `notificationEvent linkDown ${linkTrap}.3 -o ${ifIndex}`,
    `notificationEvent linkUp ${linkTrap}.4 -o ${ifIndex}`,
    `monitor -S -r ${lookSeconds} -e linkDown "link down" ${ifOperStatus} == 2`,
    `monitor -S -r ${lookSeconds} -e linkUp "link up" ${ifOperStatus} == 1`,
  ]
}

/** What the agent answers to whom; rule P9 leaves nothing in the values that would end a quoted word. */
export const agentText = (set: SystemFields): string[] => [...accessText(set), ...trapText(set)]

const accessText = ({ snmpCommunity, snmpUser, snmpAuthKey, snmpPrivKey }: SystemFields): string[] => [
  'agentaddress udp:161,udp6:161',
  ...(snmpCommunity === undefined
    ? []
    : [`rocommunity ${quoted(snmpCommunity)}`, `rocommunity6 ${quoted(snmpCommunity)}`]),
  ...(snmpUser === undefined
    ? []
    : [
        `createUser "${snmpUser}" SHA ${quoted(snmpAuthKey)} AES ${quoted(snmpPrivKey)}`,
        `rouser "${snmpUser}" authPriv`,
      ]),
]

/** Each secret of the file as read. */
export const agentSecret = /(^rocommunity6? | SHA | AES | -[cAX] )("[^"]*")/gm

// As Debian starts it; the looks at itself are what traps about links come from.
const withoutLooks = '-smux,mteTrigger,mteTriggerConf'

/**
 * The system's service with our file in place of its own. What the agent keeps goes with it at each stop: else it would
 * go on with the keys that a user had before.
 */
export const agentOn = ({ snmpTrapHost }: SystemFields): string => `[Service]
Environment=SNMP_PERSISTENT_DIR=/run/lanward-snmpd
RuntimeDirectory=agentx lanward-snmpd
ExecStartPre=/bin/chown Debian-snmp:Debian-snmp /run/lanward-snmpd
ExecStart=
ExecStart=/usr/sbin/snmpd -LOw -u Debian-snmp -g Debian-snmp -I ${snmpTrapHost === undefined ? withoutLooks : '-smux'} -f -C -c ${agentPath}
`
// A condition that never holds.
export const agentOff = `[Unit]
ConditionPathExists=!/
`
