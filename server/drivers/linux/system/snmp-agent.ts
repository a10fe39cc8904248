import type { SystemFields } from '@/model/system/system'
import { marked } from '../../unix/secret'

export const agentPath = '/etc/lanward/snmpd.conf'
export const agentUnit = '/etc/systemd/system/snmpd.service.d/lanward.conf'
export const agentStart = 'snmpd'

const quoted = (text: string | undefined) => marked(`"${text}"`)

/** What the agent answers to whom; rule P9 leaves nothing in the values that would end a quoted word. */
export const agentText = ({ snmpCommunity, snmpUser, snmpAuthKey, snmpPrivKey }: SystemFields): string[] => [
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
export const agentSecret = /(^rocommunity6? |SHA |AES )("[^"]*")/gm

/**
 * The system's service with our file in place of its own. What the agent keeps goes with it at each stop: else it would
 * go on with the keys that a user had before.
 */
export const agentOn = `[Service]
Environment=SNMP_PERSISTENT_DIR=/run/lanward-snmpd
RuntimeDirectory=agentx lanward-snmpd
ExecStartPre=/bin/chown Debian-snmp:Debian-snmp /run/lanward-snmpd
ExecStart=
ExecStart=/usr/sbin/snmpd -LOw -u Debian-snmp -g Debian-snmp -I -smux,mteTrigger,mteTriggerConf -f -C -c ${agentPath}
`
// A condition that never holds.
export const agentOff = `[Unit]
ConditionPathExists=!/
`
