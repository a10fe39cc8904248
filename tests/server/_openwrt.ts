// A router reduced to what `uci show` prints, with OpenWrt's own driver upon it: what it renders, reads and writes is real;
// the shell and SSH of it are met in tests/lab.
import { readFileSync } from 'node:fs'
import { DeviceError, type Driver, type NativeConfig, type Pending } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { parseShow, planPush } from '@/server/drivers/openwrt/push'
import { readImported } from '@/server/drivers/openwrt/uci/imported'
import { rolesOf } from '@/server/drivers/openwrt/uci/network-roles'
import { sectionsOf } from '@/server/drivers/openwrt/uci/sections'
import { unmanagedItems } from '@/server/drivers/openwrt/unmanaged'

const folder = `${import.meta.dirname}/../recordings/openwrt-24.10`
const configs = ['network', 'dhcp', 'wireless', 'system', 'dropbear', 'firewall']
export const recordedText = configs.map(name => readFileSync(`${folder}/uci-show-${name}.out`, 'utf8')).join('')

/** `uci batch`, on the lines of `uci show`. */
function batched(text: string, commands: readonly string[]): string {
  return commands
    .reduce((lines, command) => {
      const [, verb, rest = ''] = /^(set|add_list|delete) (.*)$/s.exec(command) ?? []
      const key = rest.replace(/=.*$/s, '')
      const at = lines.findIndex(line => line.startsWith(`${key}=`))
      if (verb === 'delete') return lines.filter(line => !line.startsWith(`${key}=`) && !line.startsWith(`${key}.`))
      if (at < 0) return lines.concat(rest)
      const made = verb === 'set' ? rest : `${lines[at]} ${rest.slice(key.length + 1)}`
      return lines.map((line, place) => (place === at ? made : line))
    }, text.trimEnd().split('\n'))
    .join('\n')
}

export type Router = {
  text: string
  pushes: number
  /** Addresses that the manager gets to. */
  reachable: RegExp
  /** A push takes until this is over. */
  meanwhile?: Promise<unknown>
}
type Held = { pending: Pending; before: string; state: 'waiting' | 'confirmed' | 'reverted'; timer: NodeJS.Timeout }

export const newRouter = (): Router => ({ text: recordedText, pushes: 0, reachable: /./ })
const addressOf = ({ text }: Router) => /network\.lan\.ipaddr='([\d.]+)/.exec(text)?.[1] ?? ''

function observed(router: Router): Observation {
  const address = addressOf(router)
  return {
    takenAt: Date.now(),
    depth: 'full',
    facts: { kind: 'gateway', capabilities: ['wifi', 'root'], mac: '02:00:00:00:00:77' },
    networks: [{ name: 'lan', device: 'br-lan' }],
    networkRoles: rolesOf(sectionsOf(router.text)),
    interfaces: [],
    radios: (['2g', '5g'] as const).map((band, at) => ({ key: `radio${at}`, name: `radio${at}`, band, up: true })),
    path: { peer: '192.0.2.10', local: address, interface: 'br-lan' },
    login: 'publickey',
  }
}

/** OpenWrt's driver on this router, wherever it is connected to. */
export function routerDriver(router: Router): Driver<unknown> {
  let held: Held | undefined
  // What is asked at an address that the router does not have gets no answer.
  const answers = (session: unknown) => {
    const { address } = session as { address: string }
    if (address !== addressOf(router) || !router.reachable.test(address)) throw new DeviceError('timeout')
  }
  const goBack = () => {
    if (held?.state !== 'waiting') return
    clearTimeout(held.timer)
    router.text = held.before
    held.state = 'reverted'
  }
  const same = (pending: Pending) => held?.pending.id === pending.id
  return {
    ...(openwrtDriver as Driver<unknown>),
    connect: async ({ address }) => {
      answers({ address })
      return { address }
    },
    close: () => undefined,
    facts: async session => {
      answers(session)
      return observed(router).facts ?? { kind: 'gateway', capabilities: [] }
    },
    observe: async session => {
      answers(session)
      return observed(router)
    },
    async read(session, taken = []): Promise<NativeConfig> {
      answers(session)
      return { blocks: [...parseShow(router.text).blocks, ...readImported(sectionsOf(router.text), taken).blocks] }
    },
    ownership: {
      list: async (session, taken) => {
        answers(session)
        return unmanagedItems(router.text, taken)
      },
      former: item => openwrtDriver.ownership?.former(item) ?? [],
      joined: (block, item) => openwrtDriver.ownership?.joined(block, item) ?? block,
    },
    async push(session, before, next, confirmSeconds, events) {
      answers(session)
      await router.meanwhile
      const id = `p${++router.pushes}`
      const plan = planPush(id, before, next, confirmSeconds)
      const pending: Pending = { id, armedAt: Date.now(), confirmSeconds, driver: 'openwrt', data: {} }
      await events.pending(pending)
      held = { pending, before: router.text, state: 'waiting', timer: setTimeout(goBack, confirmSeconds * 1000) }
      const dropped = [...plan.apply.matchAll(/^uci -q (delete .*)$/gm)].map(match => match[1] ?? '')
      router.text = batched(router.text, [...dropped, ...(plan.writes[0]?.text ?? '').split('\n').filter(Boolean)])
      events.step('apply')
      // As over SSH: the address goes, and the answer with it.
      answers(session)
      return pending
    },
    async confirm(session, pending) {
      answers(session)
      if (!held || !same(pending) || held.state !== 'waiting') throw new DeviceError('commandFailed')
      clearTimeout(held.timer)
      held.state = 'confirmed'
    },
    revert: async session => {
      answers(session)
      goBack()
    },
    state: async (session, pending) => {
      answers(session)
      return held && same(pending) ? held.state : 'unknown'
    },
    selfCheck: async () => [],
  }
}
