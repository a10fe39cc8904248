import { eq } from 'drizzle-orm'
import { credentials, devices } from '@/db/schema'
import type { Kind } from '@/model/kind'
import { type SystemFields, system } from '@/model/system/system'
import { openCredential } from '@/server/devices/link/credential-store'
import type { Runtime } from '@/server/kernel/runtime'
import { networkGroups, pathOf } from '@/server/networks/groups/groups'
import { desiredSingle, singleRows } from '@/server/networks/settings/singles'
import type { TrapLogins } from '@/server/worker/intake/protocol'

type Login = TrapLogins[number]
type Device = Pick<typeof devices.$inferSelect, 'id' | 'network' | 'group'>

/** What its agent sends traps by, as its settings have it. */
function setLogin(set: SystemFields): Login | undefined {
  const { snmp, snmpTrapHost, snmpCommunity, snmpUser: user, snmpAuthKey: authKey, snmpPrivKey: privKey } = set
  if (snmp !== 'on' || snmpTrapHost === undefined) return undefined
  if (user === undefined) return snmpCommunity === undefined ? undefined : { community: snmpCommunity }
  if (authKey === undefined || privKey === undefined) return undefined
  return { type: 'snmp3', user, level: 'authPriv', authProtocol: 'sha', authKey, privProtocol: 'aes', privKey }
}

/** Logins that settings give to agents. */
function settingsLogins({ db, secrets }: Runtime) {
  const read = (network: number) => {
    const rows = singleRows(db, network, [system.id])
    // Where no trap is sent nothing need be opened.
    const sends = rows.some(row => row.data.includes('snmpTrapHost'))
    return { rows: sends ? rows : [], groups: networkGroups(db, network), logins: new Map<string, Login | undefined>() }
  }
  const networks = new Map<number, ReturnType<typeof read>>()
  return ({ id, network, group }: Device): Login | undefined => {
    const held = networks.get(network) ?? read(network)
    networks.set(network, held)
    const { rows, groups, logins } = held
    if (rows.length === 0) return undefined
    const path = pathOf(groups, group)
    // Devices of one group without settings of their own have the same.
    const own = rows.some(row => row.scope === 'device' && row.scopeId === id)
    const key = `${path.join()} ${own ? id : ''}`
    if (logins.has(key)) return logins.get(key)
    const found = desiredSingle(secrets, system as unknown as Kind, rows, { id, network, path })
    const login = found && 'data' in found ? setLogin(found.data as SystemFields) : undefined
    logins.set(key, login)
    return login
  }
}

/** What the manager reads each device with over SNMP, or has given to its agent: its notifications may come with the same. */
export function trapLogins(runtime: Runtime): TrapLogins {
  const opened = new Map<number, Login | undefined>()
  const given = settingsLogins(runtime)
  const readBy = (row: typeof credentials.$inferSelect): Login | undefined => {
    if (opened.has(row.id)) return opened.get(row.id)
    const login = openCredential(runtime, row)
    const known = login.type === 'ssh' ? undefined : login.type === 'snmp3' ? login : { community: login.community }
    opened.set(row.id, known)
    return known
  }
  const rows = runtime.db
    .select({
      device: { id: devices.id, network: devices.network, group: devices.group },
      login: credentials,
    })
    .from(devices)
    .leftJoin(credentials, eq(devices.credential, credentials.id))
    .all()
  return Object.fromEntries(
    rows.flatMap(({ device, login }) => {
      const known = (login && readBy(login)) ?? given(device)
      return known ? [[device.id, known]] : []
    }),
  )
}
