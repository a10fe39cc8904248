import type { SpeedFigures } from '@/model/dashboard/speed-test'
import { managerWith, overSsh } from './_change'
import { lab, until } from './_lab'

export type Shown = {
  id: string
  state: 'running' | 'done' | 'failed' | 'cancelled'
  figures: SpeedFigures
  failure?: { reason: string; detail: string }
}

/** A manager with the gateway alone, whose internet is measured. */
export async function speedTester() {
  await lab.up()
  await lab.reset('gw')
  const site = await managerWith([await overSsh('gw', 'gateway')])
  const gw = site.ids[0] ?? 0
  const start = (server: object, deviceId = gw) => site.browser.post('dashboard/speed-test/start', { server, deviceId })
  const begin = async (server: object) =>
    String((await site.ok('dashboard/speed-test/start', { server, deviceId: gw })).id)
  const result = (id: string) => site.ok('dashboard/speed-test/result', { id }) as Promise<unknown> as Promise<Shown>
  const ended = (id: string) =>
    until(
      async () => {
        const seen = await result(id)
        return seen.state !== 'running' && seen
      },
      { timeoutMs: 120_000 },
    )
  return { site, gw, start, begin, result, ended }
}
