import { eq } from 'drizzle-orm'
import { credentials, devices } from '@/db/schema'
import { sealCredential } from '@/server/devices/link/credential-store'
import { readConfig } from '@/server/kernel/config'
import { startRuntime, stopRuntime } from '@/server/kernel/runtime'
import { setup } from '@/server/kernel/setup'
import { addNetwork } from '@/server/networks/networks/networks'
import { createOrganization, passwordDigest } from '@/server/people/accounts/accounts'
import { hashPassword } from '@/server/people/accounts/passwords'
import { root } from '../appliance/_manager'
import { owner } from '../soak/owner'

/** The farm's address of device `i`: all of 127/8 is local, every address is a device of its own. */
export const farmAddress = (i: number) => `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`

/** A data folder as it is after the wizard and the adoption of `count` SNMP devices at the farm's addresses. */
export async function seedFleet(data: string, count: number, port: number): Promise<number> {
  const runtime = await startRuntime(
    [],
    readConfig({ LANWARD_DATA: data, LANWARD_ROOT: root, LANWARD_CONF: '/nonexistent', LANWARD_SETUP_CODE: 'off' }),
  )
  const password = await hashPassword(passwordDigest(owner.password))
  const now = Date.now()
  const place = { country: 'PT', timezone: 'UTC' }
  const network = runtime.db.transaction(tx => {
    const { organization } = createOrganization(
      tx,
      'Bench',
      { account: owner.account, email: '', password, timezone: 'UTC', locale: 'en' },
      now,
    )
    const made = addNetwork(tx, organization, { networkName: 'Bench', ...place }, now)
    setup.change(tx, { finished: true, at: now })
    const login = tx
      .insert(credentials)
      .values({
        organization,
        network: made,
        name: 'public',
        type: 'snmp2c',
        secret: '',
        createdAt: now,
        changedAt: now,
      })
      .returning({ id: credentials.id })
      .get()
    const secret = sealCredential(runtime, login.id, { type: 'snmp2c', community: 'public' })
    tx.update(credentials).set({ secret }).where(eq(credentials.id, login.id)).run()
    for (let i = 1; i <= count; i++) {
      const row = {
        organization,
        network: made,
        name: `dev-${i}`,
        address: farmAddress(i),
        port,
        driver: 'snmp',
        kind: 'switch',
      } as const
      tx.insert(devices)
        .values({ ...row, credential: login.id, status: 3, statusAt: now, createdAt: now })
        .run()
    }
    return made
  })
  await stopRuntime()
  return network
}
