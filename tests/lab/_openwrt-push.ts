// What OpenWrt's push does with dropbear, busybox, files, a background timer and a boot: all real here, on the lab's switch.
// Only uci and ubus are stand-ins (tests/lab/openwrt), since they run nowhere but on OpenWrt.
import type { NativeConfig, Pending } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import type { OpenwrtSession } from '@/server/drivers/openwrt/uci/session'
import { networkRoles } from '../drivers/_network-roles'
import { never, ssidDocument, target } from './_device'
import { lab } from './_lab'
import { becomeOpenwrt } from './_openwrt'

export const config = "wireless.radio0=wifi-device\nwireless.radio0.band='2g'\n"
export const wireless = async () => (await lab.sh('sw1', 'cat /etc/config/wireless')).stdout
export const leftovers = async () =>
  (await lab.sh('sw1', 'ls -d /etc/lanward/undo* /etc/uci-defaults/* 2>/dev/null')).stdout

export async function on<T>(use: (session: OpenwrtSession) => Promise<T>): Promise<T> {
  const session = await driver.connect(await target('sw1'), never)
  try {
    return await use(session)
  } finally {
    driver.close(session)
  }
}

export const tricky = ssidDocument('7f-a', { name: 'It\'s $(id) `x` "é"', key: "pass'word $HOME" })
export const facts = { kind: 'ap' as const, capabilities: [] }
const radios = [{ key: 'radio0', name: 'radio0', band: '2g' as const, up: true }]
export const observation = {
  takenAt: 0,
  depth: 'full' as const,
  radios,
  networks: [{ name: 'lan', device: 'br-lan' }],
  networkRoles,
}
export const plan = (...documents: ReturnType<typeof ssidDocument>[]): NativeConfig => ({
  blocks: driver.renderers.flatMap(one => one.render({ facts, observation, documents, confirmSeconds: 60 }).blocks),
})
export const events = { pending: async () => undefined, step: () => undefined }
export const push = (next: NativeConfig, window: number): Promise<Pending> =>
  on(async session => driver.push(session, await driver.read(session), next, window, events))

const router = { kind: 'gateway' as const, capabilities: ['fw4'] }
const wan = { key: 'wan', name: 'wan', type: 'ethernet' as const, addresses: ['198.51.100.7/24'] }
export const document = (kind: string, id: string, data: Record<string, unknown>) => ({ id, kind, name: id, data })
export const rules = (...documents: ReturnType<typeof document>[]): NativeConfig => ({
  blocks: driver.renderers.flatMap(
    one =>
      one.render({
        facts: router,
        observation: { takenAt: 0, depth: 'full', interfaces: [wan], networkRoles },
        documents,
        confirmSeconds: 60,
      }).blocks,
  ),
})

export const tables = async () => (await lab.sh('sw1', 'nft list tables')).stdout

/** Lets the tool fail as the shell text says, until `heal`. */
export const ail = (tool: string, how: string) =>
  lab.in('sw1', ['sh', '-c', `cp -p ${tool} /tmp/healthy && { printf '%s\\n' '#!/bin/sh'; cat; } >${tool}`], {
    input: `${how}\nexec /tmp/healthy "$@"\n`,
  })
export const heal = (tool: string) => lab.sh('sw1', `mv /tmp/healthy ${tool}`)

export async function begin(): Promise<void> {
  await lab.up()
  await lab.reset('sw1')
  await becomeOpenwrt(config)
}
export const end = () => lab.reset('sw1')
