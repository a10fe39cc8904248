import { readFileSync } from 'node:fs'
import type { DesiredDocument, Gate, NativeConfig, Pending, Target } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import type { LinuxSession } from '@/server/drivers/linux/observe/observe'
import { fingerprint } from '@/server/drivers/ssh/ssh'
import { lab } from './_lab'

export const never = new AbortController().signal

type Way = 'key' | 'password'

/** The lab's device as a person would add it: its host key is asked for first, as it is now. */
export async function target(device: 'gw' | 'sw1' | 'ap1' | 'sw2', way: Way = 'key', at?: string): Promise<Target> {
  const { addresses, credentials } = await lab.up()
  const address = at ?? addresses[device]
  const { user, password, keyFile } = credentials.ssh
  const { hostKey } = await fingerprint(address, 22, never)
  const secret = way === 'key' ? { privateKey: readFileSync(keyFile, 'utf8') } : { password }
  return { address, port: 22, hostKey, credential: { type: 'ssh', user, ...secret } }
}

/** One login, closed again. */
export async function on<T>(
  device: 'gw' | 'sw1' | 'ap1' | 'sw2',
  use: (session: LinuxSession) => Promise<T>,
  way?: Way,
): Promise<T> {
  const session = await linuxDriver.connect(await target(device, way), never)
  try {
    return await use(session)
  } finally {
    linuxDriver.close(session)
  }
}

export const ssidDocument = (id: string, data: Record<string, unknown>) => ({
  id,
  kind: 'ssid',
  name: String(data.name),
  data: { security: 'wpa2', key: 'correct horse', ...data },
})

/** What the renderers make of these documents for a device as it is now; `without`: one of its capabilities. */
export async function plan(
  session: LinuxSession,
  documents: DesiredDocument[],
  confirmSeconds = 60,
  more: { gate?: Gate; without?: string } = {},
) {
  const observation = await linuxDriver.observe(session, 'full')
  const told = observation.facts
  if (!told) throw new Error('no facts')
  const facts = { ...told, capabilities: told.capabilities.filter(one => one !== more.without) }
  const parts = linuxDriver.renderers.map(one => one.render({ facts, observation, documents, confirmSeconds, ...more }))
  const next: NativeConfig = { blocks: parts.flatMap(part => part.blocks) }
  return { next, warnings: parts.flatMap(part => part.warnings) }
}

/** Pushes and gives back what the engine would have stored. */
export async function push(session: LinuxSession, next: NativeConfig, confirmSeconds: number): Promise<Pending> {
  const stored: Pending[] = []
  const before = await linuxDriver.read(session)
  const events = {
    pending: async (pending: Pending) => {
      stored.push(pending)
    },
    step: () => undefined,
  }
  const pending = await linuxDriver.push(session, before, next, confirmSeconds, events)
  expect(stored).toEqual([pending])
  return pending
}
