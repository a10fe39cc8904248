// A manager with the change engine upon scripted devices: for the order of things alone.
import { devices } from '@/db/schema'
import { startChange } from '@/server/devices/change/start'
import { newWatch, type ScriptedDevice, scriptedDevice, scriptedTransport, type Watch } from './_device'
import { type Answer, type Browser, finishedWizard, type Manager, startTestManager } from './_manager'

type Kind = 'ap' | 'switch' | 'gateway'
export type PushedDevice = {
  deviceId: number
  state: string
  reason: string
  detail: string
  deploymentId: string
  culprits: { id: string; kind: string; name: string }[]
  without: { id: string; kind: string; name: string }[]
  rest: boolean
}
export type Result = { state: string; stopped: boolean; devices: PushedDevice[] }

export type Scene = {
  manager: Manager
  browser: Browser
  add(name: string, kind?: Kind, driver?: 'linux' | 'snmp'): number
  at(id: number): ScriptedDevice
  /** The pushes that reached devices so far and from now on. */
  watch(): Watch
  /** The call's data; throws when it is refused. */
  ok(path: string, body?: object): Promise<Record<string, unknown>>
  refused(path: string, body?: object): Promise<Answer>
  saveSsid(name: string, more?: object): Promise<{ id: string; revision: number }>
  /** Pushes and waits for the end. */
  push(ids: readonly number[], more?: object): Promise<Result>
  ended(jobId: string): Promise<Result>
  end(): Promise<void>
}

/** The window is far longer than any test waits. */
export async function scene(confirmSeconds = 3600): Promise<Scene> {
  const scripted = new Map<number, ScriptedDevice>()
  const watch = newWatch()
  const manager = await startTestManager({
    starters: [
      async runtime => {
        const engine = await startChange(runtime, scriptedTransport(scripted, watch), confirmSeconds)
        engine.retryMs = 50
      },
    ],
  })
  const browser = await finishedWizard(manager)
  const ok = async (path: string, body: object = {}) => {
    const answer = await browser.post(path, body)
    if (answer.retCode !== 0) throw new Error(`${path}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
    return answer.data
  }
  const ended = async (jobId: string): Promise<Result> => {
    for (const until = performance.now() + 300_000; performance.now() < until; ) {
      const result = (await ok('devices/push/result', { jobId })) as Result
      if (result.state !== 'running') return result
      await new Promise(done => setTimeout(done, 50))
    }
    throw new Error('the push did not end')
  }
  return {
    manager,
    browser,
    ok,
    ended,
    at: id => scripted.get(id) as ScriptedDevice,
    watch: () => watch,
    refused: (path, body = {}) => browser.post(path, body),
    add(name, kind = 'ap', driver = 'linux') {
      const network = manager.runtime.db.query.networks.findFirst().sync()
      const own = { organization: network?.organization ?? 0, network: network?.id ?? 0, name, kind, driver }
      const place = { address: `192.0.2.${scripted.size + 1}`, port: 22, status: 1, statusAt: 0, createdAt: 0 }
      const row = { ...own, ...place }
      const { id } = manager.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get()
      scripted.set(id, scriptedDevice())
      manager.runtime.bus.emit({ topic: 'devices' })
      return id
    },
    saveSsid: async (name, more = {}) =>
      (await ok('settings/ssid/save', { name, security: 'wpa2', key: 'harbour1234', ...more })) as {
        id: string
        revision: number
      },
    push: async (ids, more = {}) => ended(String((await ok('devices/push', { deviceIds: ids, ...more })).jobId)),
    async end() {
      for (const device of scripted.values()) clearTimeout(device.pending?.timer)
      await manager.stop()
    },
  }
}
