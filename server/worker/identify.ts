import { DeviceError, type Driver, type Target } from '@/server/drivers/driver'
import type { Facts } from '@/server/drivers/observation'
import { chooseDriver, drivers } from '@/server/drivers/registry/registry'
import { connectSsh } from '@/server/drivers/ssh/ssh'
import { probeSystem } from '@/server/drivers/unix/probe'
import type { UnmanagedItem } from '@/server/drivers/unmanaged'
import type { AtAdoption, Identified } from './protocol'

/** Which driver a device needs, by logging in and asking what it is. Rejects as `connect` does, or with `unsupported`. */
async function driverFor(
  target: Target,
  signal: AbortSignal,
): Promise<{ driver: Driver<unknown>; openLogin: boolean }> {
  if (target.credential.type !== 'ssh') {
    const driver = drivers.find(one => one.protocol === 'snmp')
    if (!driver) throw new DeviceError('unsupported')
    return { driver, openLogin: false }
  }
  const session = await connectSsh(target, signal)
  try {
    const system = await probeSystem(session)
    const driver = chooseDriver({ system, sshBanner: session.banner }, 'ssh')
    if (!driver) {
      const name = system.PRETTY_NAME ?? session.banner
      throw new DeviceError('unsupported', `${name}; uname -s: ${system.kernel ?? 'no answer'}`)
    }
    return { driver, openLogin: session.method === 'none' }
  } finally {
    session.close()
  }
}

/** Only the options that are imported with the adoption; none of a device whose configuration cannot be listed. */
async function importsOf(driver: Driver<unknown>, session: unknown, facts: Facts): Promise<AtAdoption> {
  const { ownership, renderers } = driver
  const { atAdoption = [] } = ownership ?? {}
  const all = atAdoption.length > 0 ? ((await ownership?.list(session, []).catch(() => [])) ?? []) : []
  const isAtOnce = ({ kind, field }: UnmanagedItem['options'][number]) =>
    atAdoption.some(one => one.kind === kind && one.field === field)
  const items = all.flatMap(({ id, about, options }) => {
    const chosen = options.filter(isAtOnce).map(one => [one.option, one.value ?? null] as const)
    return chosen.length > 0 ? [{ id, options: Object.fromEntries(chosen), ...(about && { about }) }] : []
  })
  const input = { facts, documents: [], confirmSeconds: 0 }
  return { items, proposals: renderers.flatMap(one => (items.length ? (one.proposes?.(items, all, input) ?? []) : [])) }
}

/** Logs in, finds the driver, reads everything once, and leaves. Changes nothing on the device. `step` tells how far it is. */
export async function identify(
  target: Target,
  signal: AbortSignal,
  step: (step: 'login' | 'identify' | 'read') => void,
): Promise<Identified> {
  step('login')
  const { driver, openLogin } = await driverFor(target, signal)
  const session = await driver.connect(target, signal)
  try {
    step('identify')
    const facts = await driver.facts(session)
    step('read')
    const observation = await driver.observe(session, 'full')
    return { driver: driver.id, facts, observation, openLogin, imports: await importsOf(driver, session, facts) }
  } finally {
    driver.close(session)
  }
}
