// Why a client is slow: the port of the switch at which it is.
import { begin, during } from './_client-check'
import { end } from './_troubleshooting'

beforeAll(begin)
afterAll(end)

/** The next agent has begun when this ends. */
const restartAgent = `until [ -s /run/snmpd.pid ]; do sleep 0.1; done; old=$(cat /run/snmpd.pid); kill $old
until [ -s /run/snmpd.pid ] && [ "$(cat /run/snmpd.pid)" != $old ]; do sleep 0.1; done`
/** The switch's agent tells this of the client's port, in one column of a table; of others it says `other`. */
const agentSays = (column: string, type: string, value: string, other: string) => `cat >/etc/lab/says <<'END'
#!/bin/sh
port=$(cat /sys/class/net/p4/ifindex)
all=$(cat /sys/class/net/p[1-8]/ifindex | sort -n)
want=\${2#${column}}; want=\${want#.}
if [ "$1" = -g ]; then at=$want; else at=$(for one in $all; do [ "$one" -gt "\${want:-0}" ] && echo "$one" && break; done); fi
[ -n "$at" ] || exit 0
echo "${column}.$at"; echo ${type}
if [ "$at" = "$port" ]; then echo ${value}; else echo ${other}; fi
END
chmod +x /etc/lab/says
echo "pass ${column} /etc/lab/says" >/etc/snmp/snmpd.conf.d/says.conf
${restartAgent}`
const agentAsBefore = `rm /etc/snmp/snmpd.conf.d/says.conf; ${restartAgent}`

test('the fault is named: errors that the switch counts at the client’s port while it is looked at', async () => {
  const counting = agentSays('.1.3.6.1.2.1.2.2.1.14', 'counter', '$(( $(date +%s) % 1000000 * 10 ))', '0')
  const { cause, checks } = await during('sw1', counting, agentAsBefore)
  expect(cause).toBe('portErrors errors')
  expect(checks.find(one => one.what === 'portErrors')).toMatchObject({ values: { port: 'p4' }, from: 'sw1' })
})

test('the fault is named: the client’s port runs at half duplex', async () => {
  const half = agentSays('.1.3.6.1.2.1.10.7.2.1.19', 'integer', '2', '3')
  expect((await during('sw1', half, agentAsBefore)).cause).toBe('duplex half')
})
