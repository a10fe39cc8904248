// Pushes to the access point by its driver alone.
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push, ssidDocument } from './_device'
import { lab, until } from './_lab'

export const wlan = 'wlan0'
const leftovers = async () =>
  (
    await lab.sh(
      'ap1',
      'ls -d /etc/lanward/undo* /etc/systemd/system/lanward-undo* /etc/systemd/system/sysinit.target.d 2>/dev/null; systemctl list-timers --all --plain | grep -o "lanward[^ ]*timer"',
    )
  ).stdout.trim()

export const nothingIsLeft = () => until(async () => (await leftovers()) === '')

export const cafe = [ssidDocument('1', { name: 'Lanward Café "1"' })]
export const pushed = (documents: ReturnType<typeof ssidDocument>[], window: number) =>
  on('ap1', async session => push(session, (await plan(session, documents)).next, window))

export async function begin(): Promise<void> {
  await lab.up()
  await lab.reset('ap1')
}

/** Seconds of a window in which something is looked at, also where that takes long. */
export const seen = 12

/** With a network on the air, to which it goes back. */
export async function beginOnAir(): Promise<void> {
  await begin()
  const pending = await pushed(cafe, 60)
  await on('ap1', session => driver.confirm(session, pending))
}
export const end = () => lab.reset('ap1')
