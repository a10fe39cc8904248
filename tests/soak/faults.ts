// Faults at random moments of pushes to four devices of the lab at once. After each every device has what it had before or
// what was wanted, as its push says, and answers.
import { managerWith, overSnmp, overSsh } from '../lab/_change'
import { lab, until } from '../lab/_lab'
import { becomeOpenwrt } from '../lab/_openwrt'
import { breakable, breaking } from './breakable'
import { type Place, placesOf } from './places'
import { bundlePushChild, type PushRun, runPush } from './push-run'

const confirmSeconds = 15
const pause = (ms: number) => new Promise(done => setTimeout(done, ms))
type Manager = Awaited<ReturnType<typeof managerWith>>
type Random = () => number

type Fault = {
  name: string
  /** Devices it can happen to; absent: all. */
  places?: readonly string[]
  /** The name that the wanted settings get. */
  title?: string
  /** What is wrong from the beginning, and how it ends. */
  before?(place: Place, manager: Manager): Promise<unknown>
  after?(place: Place, manager: Manager): Promise<unknown>
  /** What happens in the middle, after a random while. */
  during?(place: Place, random: Random): Promise<unknown>
}

const overSshOnly = ['access point', 'gateway', 'OpenWrt']
const dropIn = '/etc/systemd/system/lanward-hostapd@.service.d'
const lockOut = {
  ...{ name: 'Lock out', action: 'deny', from: 'lan', to: 'device', protocol: 'tcp', ports: '22' },
  assign: { all: true, groups: [], devices: [] },
}
let lock = ''

const faults: readonly Fault[] = [
  {
    name: 'cable pulled',
    async during({ device }, random) {
      await lab.cut(device)
      await pause(random() * 20_000)
      await lab.join(device)
    },
  },
  { name: 'device restarted', during: ({ device }) => lab.reboot(device) },
  {
    name: 'device full',
    places: overSshOnly,
    before: ({ device }) => lab.sh(device, 'mkdir -p /etc/lanward && mount -t tmpfs -o size=4k tmpfs /etc/lanward'),
    after: ({ device }) => lab.sh(device, 'umount /etc/lanward'),
  },
  {
    name: 'service broken',
    places: ['access point'],
    before: () =>
      lab.sh('ap1', `mkdir -p ${dropIn} && printf '[Service]\\nExecStartPre=/bin/false\\n' >${dropIn}/broken.conf`),
    after: () => lab.sh('ap1', `rm -r ${dropIn}; systemctl daemon-reload; systemctl restart lanward-hostapd@wlan0`),
  },
  {
    name: 'locked out by a rule',
    places: ['gateway'],
    async before(_place, manager) {
      lock = String((await manager.ok('settings/wiredRule/save', lockOut)).id)
    },
    after: (_place, manager) => manager.ok('settings/wiredRule/delete', { ids: [lock] }),
  },
  { name: 'renderer throws', title: breaking },
]

/** The manager's own end, at a random moment or at a line that the run prints. */
const kills = [undefined, / pushing /, / confirming /, / reverting$/] as const

type Drawn = { place: Place; fault: Fault | undefined }

/** One fault a device, at most one a box: two of them are the same switch. */
function draw(places: readonly Place[], random: Random): Drawn[] {
  const taken = new Set<string>()
  return places.map(place => {
    const own = faults.filter(fault => !fault.places || fault.places.includes(place.name))
    const fault = random() < 0.75 ? own[Math.floor(random() * own.length)] : undefined
    const free = fault && !taken.has(place.device)
    if (free) taken.add(place.device)
    return { place, fault: free ? fault : undefined }
  })
}

/** Runs the pushes with their faults, the manager killed at `kill`; says whether it was. */
async function disturbed(data: string, drawn: readonly Drawn[], kill: RegExp | 'any' | undefined, random: Random) {
  let killed = false
  const end = (run: PushRun) => {
    killed = true
    run.kill()
  }
  const run = runPush(
    data,
    confirmSeconds,
    drawn.map(one => one.place.id),
    (line, self) => {
      if (kill instanceof RegExp && kill.test(line) && !killed) end(self)
    },
  )
  const work = drawn.map(async ({ place, fault }) => {
    await pause(random() * 8000)
    await fault?.during?.(place, random)
  })
  const atAnyTime = async () => {
    await pause(random() * 20_000)
    end(run)
  }
  await Promise.all([...work, run.ended, ...(kill === 'any' ? [atAnyTime()] : [])])
  if (run.output().includes('taken twice')) throw new Error('two pushes to one device at once')
  return killed
}

const told = { good: 0, bad: 0 }
const tally = new Map<string, number>()

/** The device says what its push says, and has what belongs to that. */
async function judge(manager: Manager, { place, fault }: Drawn, wanted: number, now: Map<Place, number>, what: string) {
  const push = manager.latest(place.id)
  const line = `${place.name}, ${[fault?.name ?? 'nothing', what].filter(Boolean).join(', ')}: ${push?.state} ${push?.reason}`
  try {
    if (push?.state === 'applied') now.set(place, wanted)
    else if (push?.state !== 'reverted' && push?.state !== 'failed') throw new Error(`ended as ${push?.state}`)
    await until(() => place.has(now.get(place) as number), { timeoutMs: 90_000 })
    console.log(`${wanted} ${line}`)
    told.good++
  } catch (error) {
    told.bad++
    console.error(`${wanted} ${line}:`, error)
  }
  for (const name of [fault?.name, what]) if (name) tally.set(name, (tally.get(name) ?? 0) + 1)
}

async function round(manager: Manager, now: Map<Place, number>, n: number, random: Random): Promise<void> {
  const drawn = draw([...now.keys()], random)
  const moment = kills[Math.floor(random() * kills.length)]
  const kill = random() < 0.4 ? (moment ?? 'any') : undefined
  for (const { place, fault } of drawn) {
    await place.save(n, fault?.title ?? `Soak ${n}`)
    await fault?.before?.(place, manager)
  }
  const killed = await disturbed(await manager.pause(), drawn, kill, random)
  await manager.restart()
  for (const { place } of drawn) await until(() => manager.latest(place.id)?.endedAt, { timeoutMs: 240_000 })
  for (const { place, fault } of drawn) await fault?.after?.(place, manager)
  const what = killed
    ? `manager killed at ${kill === 'any' ? 'any time' : String(kill).replace(/[/$]/g, '').trim()}`
    : ''
  for (const one of drawn) await judge(manager, one, n, now, what)
}

/** Runs rounds of the seed until `count` faults have happened; returns how many left a device in neither state. */
export async function runFaults(count: number, random: Random): Promise<number> {
  await lab.up()
  for (const name of ['ap1', 'gw', 'sw1'] as const) await lab.reset(name)
  await becomeOpenwrt("wireless.radio0=wifi-device\nwireless.radio0.band='2g'\n")
  bundlePushChild()
  const devices = [
    await overSsh('ap1', 'ap'),
    await overSsh('gw', 'gateway'),
    await overSnmp(),
    await overSsh('sw1', 'ap', 'openwrt'),
  ]
  const manager = await managerWith(devices, { window: confirmSeconds, fleet: { drivers: breakable } })
  const now = new Map(placesOf(manager).map(place => [place, 0]))
  for (const place of now.keys()) {
    await place.save(0, 'Soak')
    await manager.settled(await manager.push({ deviceIds: [place.id] }))
    await until(() => place.has(0))
  }
  const happened = () => [...tally.values()].reduce((sum, one) => sum + one, 0)
  for (let n = 1; happened() < count; n++) await round(manager, now, n, random)
  await manager.end()
  for (const [name, times] of tally) console.log(`${name}: ${times}`)
  console.log(`${told.good} of ${told.good + told.bad} pushes left their device as before or as wanted`)
  return told.bad
}
