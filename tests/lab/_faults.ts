// The manager is killed (-9) in the middle of a push to a real device: the next one finds out what came of it.
import { breakable } from '../soak/breakable'
import { bundlePushChild, runPush } from '../soak/push-run'
import { managerWithAp } from './_change'
import { air, lab, until } from './_lab'

export let one: Awaited<ReturnType<typeof managerWithAp>>
let ssid: { id: string; revision: number }
/** The network's name on the device. */
let name = 'Before'

/** Saves another name of the network, which a push is to bring. */
export async function rename(next: string): Promise<void> {
  ssid = (await one.saveSsid({ ...ssid, name: next })) as typeof ssid
}

export async function begin(): Promise<void> {
  await lab.up()
  await lab.reset('ap1')
  bundlePushChild()
  one = await managerWithAp(undefined, { fleet: { drivers: breakable } })
  await rename(name)
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
}
export const end = () => one?.end()

/** Saves a new name, lets another process push it and kills that at the first line that matches; then settles. */
export async function killedAt(moment: RegExp, next: string, seconds: number) {
  await rename(next)
  const data = await one.pause()
  const seen: string[] = []
  const child = runPush(data, seconds, [one.id], (line, self) => {
    if (moment.test(line) && seen.push(line)) self.kill()
  })
  await child.ended
  expect([seen.length, child.output()]).toEqual([1, expect.stringMatching(moment)])
  await one.restart()
  await until(() => one.latest()?.endedAt)
  const end = one.latest()
  name = end?.state === 'applied' ? next : name
  return end
}

const leftovers = async () =>
  (
    await lab.sh(
      'ap1',
      'ls /etc/lanward/undo/armed /etc/lanward/undo/reverting 2>/dev/null; systemctl list-timers --all --plain | grep lanward',
    )
  ).stdout

/** The device has the name that the push says, and nothing of a push is left on it. */
export async function asTold(): Promise<void> {
  await until(async () => (await air()).includes(`ssid[0]=${name}\n`))
  await until(async () => (await leftovers()) === '')
}
