// A house with guests: a real manager without its web server, its portal, and a gateway that keeps to the contract of
// gates (server/drivers/guests.ts) and does nothing else; the real one is in tests/lab/guests.test.ts.

import { eq } from 'drizzle-orm'
import { devices, guests, voucherGroups, vouchers } from '@/db/schema'
import { gateKey } from '@/server/devices/change/plan/gate'
import { type Fleet, fleetPart } from '@/server/devices/link/fleet'
import { DeviceError } from '@/server/drivers/driver'
import type { Admission, AwayList, AwayUse, GuestPlace, GuestUse } from '@/server/drivers/guests'
import type { KeyList, KeyState } from '@/server/drivers/keys'
import { answerGuest } from '@/server/guests/portal/answer'
import { signature } from '@/server/guests/portal/signed'
import { openCode } from '@/server/guests/vouchers/codes'
import { makeVouchers } from '@/server/guests/vouchers/make'
import type { Runtime } from '@/server/kernel/runtime'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

/** What a gateway knows: who is in, and what they used. */
export type Gateway = {
  id: number
  /** False: it is not reached. */
  answers: boolean
  /** How long it takes over each thing that it is told or asked. */
  takesMs?: number
  in: Map<string, Admitted>
  /** Whom it knows by their address, and how often it was asked. */
  hosts: Map<string, GuestPlace>
  asked: number
  removed: string[]
  /** What it took by itself, and the list that it was given. */
  uses: AwayUse[]
  list?: AwayList
  /** What it tells of vouchers that are keys, and the list of them that it was given; absent: it takes none. */
  keys?: KeyState
  keyList?: KeyList
  voided?: number[]
}

type Admitted = { bounds: Admission; use: GuestUse }
export type Guest = { mac: string; ip: string }
export type House = {
  manager: Manager
  owner: Browser
  gateway: Gateway
  other: Gateway
  lan: string
  /** A LAN of the same network with another portal. */
  save(kind: 'lan' | 'portal', data: object): Promise<string>
  /** The query that a gateway sends a guest with. */
  query(guest: Guest, more?: Record<string, string>, lan?: string): URLSearchParams
  get(query: URLSearchParams | string, headers?: Record<string, string>, lan?: string): Promise<Page>
  post(form: Record<string, string> | URLSearchParams, headers?: Record<string, string>, lan?: string): Promise<Page>
  /** One form of a guest whom a gateway sent. */
  send(guest: Guest, form: Record<string, string>, headers?: Record<string, string>): Promise<Page>
  codes(quantity: number, terms?: Partial<typeof voucherGroups.$inferInsert>): string[]
  rows(): (typeof guests.$inferSelect)[]
  end(): Promise<void>
}
export type Page = { status: number; text: string; cookie: string; headers: Headers }

const silent = () => new DeviceError('timeout', 'no answer')

function gatewayOf(id: number): Gateway {
  return { id, answers: true, in: new Map(), hosts: new Map(), asked: 0, removed: [], uses: [] }
}

type Asked = {
  id: number
  address?: string
  guests?: Admission[]
  macs?: string[]
  list?: AwayList
  vouchers?: number[]
}

const verbs: Record<string, (one: Gateway, input: Asked) => unknown> = {
  guestAt(one, { address = '' }) {
    one.asked += 1
    return one.hosts.get(address)
  },
  guests: one => [...one.in.values()].map(({ use }) => ({ ...use })),
  awayState: one => ({ ...(one.list && { digest: one.list.digest }), uses: [...one.uses] }),
  keyState(one) {
    if (!one.keys) throw new DeviceError('unsupported', 'takes no vouchers as keys')
    return { ...one.keys, uses: [...one.keys.uses], ...(one.keyList && { digest: one.keyList.digest }) }
  },
  voidKeys(one, { vouchers: gone = [] }) {
    one.voided = [...(one.voided ?? []), ...gone]
  },
  putKeys(one, { list: given }) {
    const list = given as unknown as KeyList | undefined
    if (!list || !one.keys) return
    one.keyList = list
    one.keys.uses = one.keys.uses.filter(use => !list.merged.some(of => of.voucher === use.voucher && of.at === use.at))
  },
  putAway(one, { list }) {
    if (!list) return
    one.list = list
    one.uses = one.uses.filter(use => !list.merged.some(of => of.mac === use.mac && of.at === use.at))
  },
  admitGuests(one, { guests: admitted = [] }) {
    for (const bounds of admitted) {
      const { mac, seconds } = bounds
      one.in.set(mac, { bounds, use: { mac, secondsLeft: seconds, bytes: 0, idleSeconds: 0, addresses: [] } })
    }
  },
  removeGuests(one, { macs = [] }) {
    for (const mac of macs) {
      one.removed.push(mac)
      one.in.delete(mac)
    }
  },
}

/** The worker's calls about guests, as a driver fulfils them. */
function fleetOf(gateways: () => readonly Gateway[]): Fleet {
  const ask = async (name: string, input: Asked) => {
    const one = gateways().find(gateway => gateway.id === input.id)
    if (!one?.answers) throw silent()
    if (one.takesMs !== undefined) await new Promise(done => setTimeout(done, one.takesMs))
    return verbs[name]?.(one, input)
  }
  return { ask, upsert() {}, remove() {}, rowOf: () => 0, live: undefined } as unknown as Fleet
}

/** Of a guest who is in: bytes used since the gateway let them in, and for how long they have been idle. */
export function used(gateway: Gateway, mac: string, bytes: number, idleSeconds = 0, addresses: string[] = []): void {
  const one = gateway.in.get(mac)
  if (!one) throw new Error(`${mac} is not in`)
  const { bytes: most } = one.bounds
  const left = most !== undefined && { bytesLeft: Math.max(0, most - bytes) }
  gateway.in.set(mac, { ...one, use: { ...one.use, bytes, ...left, idleSeconds, addresses } })
}

const terms = {
  ...{ seconds: 3600, validityDays: 30, maxDevices: 1, byteLimitMb: null, bytesPer: 'voucher' as const },
  ...{ downloadKbps: null, uploadKbps: null, resetDays: 0, resetHour: 0, notes: '' },
}

export const every = { name: 'Guests', methods: ['free', 'simplePassword', 'voucher'], password: 'harbour' }

/** `starters`: what is started beside the gateways. */
export async function house(
  portal: object = every,
  starters: readonly ((runtime: Runtime) => Promise<void> | void)[] = [],
): Promise<House> {
  const gateways: Gateway[] = []
  const manager = await startTestManager({
    starters: [
      runtime =>
        fleetPart.start(
          runtime,
          fleetOf(() => gateways),
        ),
      ...starters,
    ],
  })
  const owner = await finishedWizard(manager)
  const { runtime } = manager
  const addGateway = (name: string) => {
    const row = {
      ...{ organization: 1, network: 1, name, kind: 'gateway' as const, driver: 'linux' },
      ...{ address: `192.0.2.${gateways.length + 1}`, port: 22, status: 1, statusAt: 0, createdAt: 0 },
    }
    const { id } = runtime.db.insert(devices).values(row).returning({ id: devices.id }).get()
    gateways.push(gatewayOf(id))
  }
  addGateway('gw')
  addGateway('gw 2')
  const save = async (kind: 'lan' | 'portal', data: object) => {
    const answer = await owner.post(`settings/${kind}/save`, data)
    if (answer.retCode !== 0) throw new Error(JSON.stringify(answer))
    return String(answer.data.id)
  }
  const policy = await save('portal', portal)
  const lanData = { name: 'Guest LAN', vlan: 66, address: '10.66.0.1/24', dhcp: false, portal: policy }
  const lan = await save('lan', { ...lanData, assign: { devices: [gateways[0]?.id], groups: [], all: false } })

  const answered = async (response: Response): Promise<Page> => ({
    status: response.status,
    text: await response.text(),
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
    headers: response.headers,
  })
  const own = { 'x-lanward-portal': '1', 'accept-language': 'en' }
  const urlOf = (of: string) => `http://192.0.2.10:8880/portal/${of}`
  const query: House['query'] = ({ mac, ip }, more = {}, of = lan) => {
    const at = Math.floor(Date.now() / 1000)
    const sig = signature(gateKey(runtime, 1), { lan: of, mac, ip, at })
    return new URLSearchParams({ mac, ip, at: String(at), url: 'http://example.com/', sig, ...more })
  }
  const post: House['post'] = async (form, headers = {}, of = lan) => {
    const body = new URLSearchParams(form)
    return answered(
      await answerGuest(of, new Request(urlOf(of), { method: 'POST', body, headers: { ...own, ...headers } })),
    )
  }
  let groups = 0
  return {
    ...{ manager, owner, lan, save, query, post },
    gateway: gateways[0] as Gateway,
    other: gateways[1] as Gateway,
    get: async (of, headers = {}, at = lan) =>
      answered(await answerGuest(at, new Request(`${urlOf(at)}?${of}`, { headers: { ...own, ...headers } }))),
    send: (guest, form, headers) => post({ ...Object.fromEntries(query(guest)), ...form }, headers),
    codes(quantity, more = {}) {
      groups += 1
      const now = Date.now()
      const group = runtime.db
        .insert(voucherGroups)
        .values({
          organization: 1,
          network: 1,
          name: `group ${groups}`,
          createdAt: now,
          createdBy: 'x',
          ...terms,
          ...more,
        })
        .returning()
        .get()
      runtime.db.transaction(() => makeVouchers(runtime, runtime.db, group, { quantity, now }))
      const made = runtime.db.select().from(vouchers).where(eq(vouchers.group, group.id)).all()
      return made.map(row => openCode(runtime.secrets, row) ?? '')
    },
    rows: () => runtime.db.select().from(guests).all(),
    end: () => manager.stop(),
  }
}
