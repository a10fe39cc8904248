import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { radiusNetworks } from '@/db/schema'
import { documentCode } from '@/model/codes'
import { f } from '@/model/fields'
import { codeAlphabet } from '@/model/guests/voucher-code'
import { limits } from '@/model/limits'
import { radius as radiusKind } from '@/model/profiles/radius'
import { radiusUser } from '@/model/profiles/radius-user'
import { ssid as ssidKind } from '@/model/wifi/ssid'
import { call, type NetworkContext } from '@/server/kernel/call'
import { openedRows } from '@/server/kernel/documents'
import { fail, failFields } from '@/server/kernel/fail'
import { radiusName, serverCertificate } from '@/server/networks/certificates/store'
import { saveDocument } from '@/server/networks/settings/documents'
import { kindRows } from '@/server/networks/settings/store'
import { changing, exporting } from './call-heads'
import { isSupervised } from './folder'
import { appleProfile, linuxScript, type StaffNetwork, windowsScript } from './staff-profiles'
import { renewRadius } from './start'
import { knownOf, type Numbered, readUsers } from './user-file'

// Wi-Fi for the staff in one go: the server, who signs in, and the network that asks; and what their devices are given.

/** Four of them, without signs that look alike: 10²¹ of them. */
const groups = 4
const password = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: 4 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join(''),
  ).join('-')

/** A profile of this server that is there already, else a new one. */
function profileOf(context: NetworkContext & Parameters<typeof saveDocument>[0]): string {
  const { runtime, network } = context
  const held = openedRows(runtime.secrets, radiusKind, kindRows(runtime.db, network.id, radiusKind.id)).find(
    ({ data }) => data.here === true,
  )
  if (held) return held.row.id
  const taken = new Set(kindRows(runtime.db, network.id, radiusKind.id).map(one => one.name))
  const name = ['Lanward', 'Lanward RADIUS', ...Array.from(taken, (_, at) => `Lanward ${at + 2}`)].find(
    one => !taken.has(one),
  )
  return saveDocument(context, radiusKind, { name, here: true, accounting: true }).id
}

/** A password may have commas, and no blank at its ends. */
const linesOf = (people: string): Numbered[] =>
  people.split('\n').flatMap((text, at) => {
    const [, name = '', password = ''] = /^([^,]*)(?:,(.*))?$/.exec(text.trim()) ?? []
    return text.trim() === '' ? [] : [{ row: at + 1, line: { name: name.trim(), password: password.trim() } }]
  })

export const saveStaff = call({
  ...changing,
  path: 'radius/staff/save',
  topics: ['settings'],
  changelog: 'entry',
  input: z.strictObject({
    /** Of the Wi-Fi network. */
    name: f.ssidName(),
    vlan: f.ssidVlan().optional(),
    /** One person a line: a name, or name and password with a comma between. */
    people: z.string().max(limits.radiusUsers * 130, 'tooLong'),
  }),
  /**
   * Turns the server on, adds the people, and a Wi-Fi network with enterprise security that asks it; all of it or nothing.
   * Who has no password is given one. Answers `errors` {row, field, problem} where a line is wrong, and nothing is done;
   * else `ssid` and `people` with the passwords that were made, which are shown this once.
   */
  async run(context, { name, vlan, people }) {
    const { runtime, network, now, log, actor } = context
    if (!actor.authorities.has('settings_wifi_edit')) fail('noAuthority')
    if (!isSupervised(runtime.config.radius)) fail('radiusUnavailable')
    const known = knownOf(context)
    const lines = linesOf(people)
    const { all, errors } = readUsers(lines.length === 0 ? [{ row: 1, line: {} }] : lines, known)
    if (errors.length > 0) return { errors, people: [] }
    if (known.size + all.filter(one => one.fields.id === undefined).length > limits.radiusUsers)
      failFields({ people: 'tooManyRows' })
    const made = all.map(({ fields }) => (fields.password === undefined ? { ...fields, password: password() } : fields))
    const ssid = runtime.db.transaction(tx => {
      for (const fields of made) saveDocument(context, radiusUser, fields)
      const on = tx.select().from(radiusNetworks).where(eq(radiusNetworks.network, network.id)).get()
      if (!on) {
        tx.insert(radiusNetworks).values({ network: network.id, since: now }).run()
        log({ action: 'enable', object: 'radiusServer', name: network.name, network: network.id })
      }
      const radius = profileOf(context)
      return saveDocument(context, ssidKind, {
        ...{ name, security: 'wpa2wpa3Enterprise', radius, ...(vlan !== undefined && { vlan }) },
        assign: { all: true, groups: [], devices: [] },
      }).id
    })
    await renewRadius(runtime)
    return {
      errors: [],
      ssid,
      people: made.map(fields => ({
        name: String(fields.name),
        ...(typeof fields.password === 'string' && { password: fields.password }),
      })),
    }
  },
})

async function networkOf({ runtime, network, now }: NetworkContext, id: string): Promise<StaffNetwork> {
  const row = openedRows(runtime.secrets, ssidKind, kindRows(runtime.db, network.id, ssidKind.id)).find(
    one => one.row.id === id,
  )
  if (!row || !String(row.data.security).endsWith('Enterprise'))
    return fail(documentCode(ssidKind.id, 'notFound'), { id })
  const own = runtime.db.query.networks.findFirst({ where: (of, { eq: is }) => is(of.id, network.id) }).sync()
  const { authority } = await serverCertificate(runtime, own?.organization ?? 0, now)
  return { name: String(row.data.name), hidden: row.data.hidden === true, authority, server: radiusName }
}

const systems = {
  apple: { type: 'application/x-apple-aspen-config', name: 'wifi.mobileconfig', make: appleProfile },
  windows: { type: 'text/plain; charset=utf-8', name: 'wifi.ps1', make: windowsScript },
  linux: { type: 'text/x-shellscript; charset=utf-8', name: 'wifi.sh', make: linuxScript },
} as const

export const exportStaffProfile = call({
  ...exporting,
  path: 'exports/staff-profile',
  input: z.strictObject({ ssid: z.uuid('notFound'), system: z.enum(['apple', 'windows', 'linux']) }),
  /** What a phone or laptop is given to join a Wi-Fi network of this server and no other that has its name; no password is in it. */
  async run(context, { ssid, system }) {
    const { type, name, make } = systems[system]
    const text = make(await networkOf(context, ssid))
    const headers = {
      ...{ 'content-type': type, 'cache-control': 'no-store' },
      'content-disposition': `attachment; filename="${name}"`,
    }
    return new Response(text, { headers })
  },
})
