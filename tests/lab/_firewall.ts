import type { DesiredDocument } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { type Device, lab, until } from './_lab'

// What the gateway does is seen from the clients: c1 and c2 behind it, "the internet" before it.

export const web = 'http://203.0.113.1/'
/** The address that c1 always gets, and the gateway's on the internet side. */
export const c1 = '10.77.2.101'
export const outside = '203.0.113.2'

export const document = (kind: string, id: string, data: Record<string, unknown>): DesiredDocument => ({
  id,
  kind,
  name: id,
  data: { name: id, ...data },
})

/** Pushed, proven as the engine does, and confirmed; the codes of the plan's warnings. */
export async function apply(device: 'gw' | 'ap1', ...documents: DesiredDocument[]): Promise<string[]> {
  return on(device, async session => {
    const { next, warnings } = await plan(session, documents)
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
    const seen = await driver.read(session)
    expect(seen.blocks.map(block => block.id).sort()).toEqual(next.blocks.map(block => block.id).sort())
    await driver.confirm(session, pending)
    return warnings.map(warning => warning.code)
  })
}

/** curl's exit code: 0, 7 when it was refused, 28 when nothing came back. */
export const get = async (client: Device, url = web, ...more: string[]) =>
  (await lab.in(client, ['curl', '-s', '-o', '/dev/null', '-m', '3', ...more, url])).code
export const reaches = (client: Device, url = web, ...more: string[]) =>
  until(async () => (await get(client, url, ...more)) === 0)

export const ruleset = async () => (await lab.in('gw', ['nft', 'list', 'table', 'inet', 'lanward'])).stdout
/** Packets that a rule has judged. */
export const hits = async (id: string) =>
  [...(await ruleset()).matchAll(new RegExp(`counter packets (\\d+).*comment "${id}"`, 'g'))].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  )

export const rule = (id: string, data: Record<string, unknown> = {}) => document('wiredRule', id, data)
/** A rule that keeps the web from c1. */
export const noWeb = (id: string, more: Record<string, unknown> = {}) =>
  rule(id, { protocol: 'tcp', ports: '80', sources: [c1], ...more })

/** A gateway as it comes, and both clients reach the internet by it. */
export async function begin(): Promise<void> {
  await lab.up()
  await lab.reset('gw')
  await Promise.all([reaches('c1'), reaches('c2')])
}
export const end = () => Promise.all([lab.reset('gw'), lab.reset('c1')])
