// Faults at a random moment of a push to the lab's access point. After each the device has what it had before or what
// was wanted, as the push says, and answers.
import { air, managerWithAp } from '../lab/_change'
import { lab, until } from '../lab/_lab'
import { bundlePushChild, type PushRun, runPush } from './push-run'

const windowSeconds = 15
const pause = (ms: number) => new Promise(done => setTimeout(done, ms))

type Fault = {
  name: string
  /** What is wrong from the beginning, and how it ends. */
  before?(): Promise<unknown>
  after?(): Promise<unknown>
  /** What happens in the middle. */
  during?(run: PushRun, random: () => number): Promise<unknown>
}

const dropIn = '/etc/systemd/system/lanward-hostapd@.service.d'
const faults: readonly Fault[] = [
  { name: 'none' },
  { name: 'manager killed', during: async run => run.kill() },
  {
    name: 'cable pulled',
    async during(_run, random) {
      await lab.cut('ap1')
      await pause(random() * 20_000)
      await lab.join('ap1')
    },
  },
  { name: 'device restarted', during: () => lab.reboot('ap1') },
  {
    name: 'device full',
    before: () => lab.sh('ap1', 'mkdir -p /etc/lanward && mount -t tmpfs -o size=4k tmpfs /etc/lanward'),
    after: () => lab.sh('ap1', 'umount /etc/lanward'),
  },
  {
    name: 'service broken',
    before: () =>
      lab.sh('ap1', `mkdir -p ${dropIn} && printf '[Service]\\nExecStartPre=/bin/false\\n' >${dropIn}/broken.conf`),
    after: () => lab.sh('ap1', `rm -r ${dropIn}; systemctl daemon-reload; systemctl restart lanward-hostapd@wlan0`),
  },
]

/** Runs `count` faults in order of the seed; returns how many left the device in neither state. */
export async function runFaults(count: number, random: () => number): Promise<number> {
  await lab.up()
  await lab.reset('ap1')
  bundlePushChild()
  const one = await managerWithAp()
  let now = 'Soak'
  let ssid = (await one.saveSsid({ name: now })) as { id: string; revision: number }
  await one.pushed()
  let bad = 0
  for (let at = 1; at <= count; at++) {
    const fault = faults[Math.floor(random() * faults.length)] as Fault
    const wanted = `Soak ${at}`
    ssid = (await one.saveSsid({ ...ssid, name: wanted })) as typeof ssid
    const data = await one.pause()
    await fault.before?.()
    const run = runPush(data, windowSeconds, [one.id])
    await pause(random() * 8000)
    await fault.during?.(run, random)
    await run.ended
    await fault.after?.()
    try {
      await one.restart()
      await until(() => one.latest()?.endedAt, { timeoutMs: 180_000 })
      const state = one.latest()?.state
      if (state === 'applied') now = wanted
      else if (state !== 'reverted' && state !== 'failed') throw new Error(`ended as ${state}`)
      await until(async () => (await air()).includes(`ssid[0]=${now}\n`), { timeoutMs: 60_000 })
      console.log(`${at} ${fault.name}: ${state}`)
    } catch (error) {
      bad++
      console.error(`${at} ${fault.name}:`, error)
    }
  }
  await one.end()
  return bad
}
