// A device reduced to its answers: blocks, a revert timer and a link that can be cut. For the order of things in the
// engine alone; the same engine meets real devices in tests/lab.

import type { ChangeTransport } from '@/server/devices/change/plan/transport'
import { DeviceError, type NativeConfig, type Pending, type Warning } from '@/server/drivers/driver'

export type ScriptedDevice = {
  config: NativeConfig
  pending?: {
    pending: Pending
    before: NativeConfig
    state: 'waiting' | 'confirmed' | 'reverted'
    timer: NodeJS.Timeout
    /** Its own timer runs out, before its time. */
    runOut(): void
  }
  /** Every command fails while true. */
  cut: boolean
  /** So many readings of its configuration from now on end with a dropped connection. */
  drops: number
  /** Cuts the link when the apply step ends. */
  cutOnApply: boolean
  /** Takes something else than it was told. */
  rejects: boolean
  refusesPush: boolean
  /** Says in the middle that it cannot, its timer running. */
  givesUp: boolean
  /** As it gives up: what it says. */
  says: string
  /** Takes all but its last block, and says so. */
  takesPart: boolean
  /** The managed device its way to the manager goes through. */
  behind?: number
  /** Milliseconds until a command is answered. */
  latencyMs: number
  /** It was never read; it was read as it started. How often it was read. */
  unread: boolean
  unsettled: boolean
  readings: number
  /** A push takes until this is over. */
  meanwhile: () => Promise<unknown>
  /** Says nothing of its radios. */
  blind: boolean
  /** Makes nothing of any setting, and misses none. */
  idle: boolean
  /** Names of settings that it cannot have. */
  lacks: string[]
  /** Its renderer throws. */
  breaks: boolean
  /** What it says of its services. */
  verify: () => Promise<Warning[]>
  pushes: number
  running: number
}

const blocking: Warning = { code: 'cannotDo', blocks: true }

export const scriptedDevice = (): ScriptedDevice => ({
  config: { blocks: [] },
  cut: false,
  drops: 0,
  cutOnApply: false,
  rejects: false,
  refusesPush: false,
  givesUp: false,
  says: '',
  takesPart: false,
  latencyMs: 0,
  unread: false,
  unsettled: false,
  readings: 0,
  meanwhile: async () => undefined,
  blind: false,
  idle: false,
  lacks: [],
  breaks: false,
  verify: async () => [],
  pushes: 0,
  running: 0,
})

/** Pushes in the order they began, how many others ran beside each, and the most at once. */
export type Watch = { began: number[]; ranBeside: number[]; running: number; most: number }
export const newWatch = (): Watch => ({ began: [], ranBeside: [], running: 0, most: 0 })

export function scriptedTransport(devices: Map<number, ScriptedDevice>, watch = newWatch()): ChangeTransport {
  const wait = ({ latencyMs }: ScriptedDevice) => new Promise(done => setTimeout(done, latencyMs))
  const at = (id: number) => {
    const device = devices.get(id)
    if (!device || device.cut) throw new DeviceError('timeout')
    return device
  }
  const goBack = (device: ScriptedDevice) => {
    if (device.pending?.state !== 'waiting') return
    clearTimeout(device.pending.timer)
    device.config = device.pending.before
    device.pending.state = 'reverted'
  }
  const scripted = {
    observeNow: async id => {
      Object.assign(at(id), { unread: false, unsettled: false, readings: at(id).readings + 1 })
      return { rates: [], reverts: 'device', actions: [], polls: { rounds: 0, answered: 0 } }
    },
    render: async ({ id, documents: given }) => {
      const documents = devices.get(id)?.idle ? [] : given
      const blocks = (devices.get(id)?.breaks ? impossible() : documents)
        .filter(({ kind }) => !(devices.get(id)?.blind && kind === 'ssid'))
        .filter(({ name }) => !devices.get(id)?.lacks.includes(name))
        .map(({ id, kind, name, data }) => ({
          id: `file:${name}`,
          kind,
          document: id,
          text: `ssid=${name}\nkey=\uE000${data.key ?? ''}\uE001\n`,
        }))
      return {
        blocks,
        warnings: [
          ...(documents.some(document => document.name === 'blocked') ? [blocking] : []),
          ...documents
            .filter(({ name }) => devices.get(id)?.lacks.includes(name))
            .map(({ id: document, kind, name, data }) => ({
              ...{ code: 'vlanMissing' as const, kind, document },
              values: { ssid: name, radio: 'radio0', vlan: Number(data.vlan ?? 0) },
            })),
        ],
        slowSeconds: 0,
        reverts: 'device',
        ...(devices.get(id)?.unread ? {} : { facts: { kind: 'ap' as const, capabilities: [] } }),
        unfit: devices.get(id)?.blind ? ['ssid'] : [],
        carries: blocks.map(({ document }) => document),
        unsettled: devices.get(id)?.unsettled === true,
        former: [],
      }
    },
    // A network called after the manager's way cuts it; everybody on a changed network is interrupted.
    assess: async ({ before, next }) => ({
      cuts: next.blocks
        .filter(block => block.id === 'file:own path' && !before.blocks.some(one => one.text === block.text))
        .map(block => ({ code: 'interface', values: { interface: 'eth0' }, block: block.id })),
      interrupted: before.blocks.map(block => ({ ssid: block.id.slice(5), devices: [], clients: 3 })),
    }),
    unmanaged: async () => [],
    propose: async () => [],
    adopt: async ({ documents, seen }) =>
      seen.map(block => {
        const document = documents.find(one => block.id === `file:${one.name}`)
        const key = /^key=\uE000(.*)\uE001$/m.exec(block.text)?.[1]
        return { block: block.id, adopted: document && key ? [{ document: document.id, fields: { key } }] : null }
      }),
    uplinks: async () =>
      [...devices].flatMap(([id, { behind }]) => (behind === undefined ? [] : [[id, behind] as [number, number]])),
    equal: async ({ pairs }) => pairs.map(([a, b]) => a.text === b.text),
    facts: async ({ id }) => at(id) && { kind: 'ap', capabilities: [] },
    read: async ({ id }) => {
      if (at(id).drops-- > 0) throw new DeviceError('closed')
      return structuredClone(at(id).config)
    },
    async writeAtOnce({ id, next }) {
      if (at(id).refusesPush) throw new DeviceError('deviceFull')
      at(id).config = structuredClone(next)
    },
    async push({ id, before, next, confirmSeconds }, tell) {
      const device = at(id)
      watch.began.push(id)
      watch.ranBeside.push(watch.running)
      watch.running += 1
      watch.most = Math.max(watch.most, watch.running)
      await Promise.all([wait(device), device.meanwhile()]).finally(() => {
        watch.running -= 1
      })
      if (device.refusesPush) throw new DeviceError('deviceFull')
      device.pushes += 1
      device.running += 1
      const pending = { id: `p${device.pushes}`, armedAt: Date.now(), confirmSeconds, driver: 'linux', data: {} }
      await tell?.({ pending })
      void tell?.({ step: 'snapshot' })
      const timer = setTimeout(() => goBack(device), confirmSeconds * 1000)
      device.pending = { pending, before, state: 'waiting', timer, runOut: () => goBack(device) }
      void tell?.({ step: 'timer' })
      if (device.givesUp) throw new DeviceError('commandFailed', device.says)
      device.config = device.rejects ? { blocks: [{ id: 'file:other', text: 'x' }] } : structuredClone(next)
      void tell?.({ step: 'apply' })
      device.running -= 1
      if (device.cutOnApply) {
        device.cut = true
        throw new DeviceError('closed')
      }
      if (!device.takesPart) return pending
      const left = device.config.blocks.pop()
      return { ...pending, rejected: [{ block: left?.id ?? '', reason: 'notSupported' }] }
    },
    relocate: async () => undefined,
    async confirm({ id, pending }) {
      const device = at(id)
      if (device.pending?.pending.id !== pending.id || device.pending.state !== 'waiting')
        throw new DeviceError('commandFailed')
      clearTimeout(device.pending.timer)
      device.pending.state = 'confirmed'
    },
    revert: async ({ id }) => goBack(at(id)),
    state: async ({ id, pending }) => {
      const device = at(id)
      return device.pending?.pending.id === pending.id ? device.pending.state : 'unknown'
    },
    verify: async ({ id }) => at(id).verify(),
  } satisfies Partial<ChangeTransport>
  // The change engine asks a device for no more than this.
  return scripted as unknown as ChangeTransport
}

function impossible(): never {
  throw new Error('a renderer broke')
}
