import { DeviceError, type Driver, type Target } from '@/server/drivers/driver'
import { chooseDriver, drivers } from '@/server/drivers/registry'
import { probeSystem } from '@/server/drivers/ssh/probe'
import { connectSsh } from '@/server/drivers/ssh/ssh'
import type { Identified } from './protocol'

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
    if (!driver) throw new DeviceError('unsupported', system.PRETTY_NAME ?? system.kernel ?? session.banner)
    return { driver, openLogin: session.method === 'none' }
  } finally {
    session.close()
  }
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
    return { driver: driver.id, facts, observation, openLogin }
  } finally {
    driver.close(session)
  }
}
