// What a person asks the network from a device of the lab, and from the manager, which has its gateway,
// its access point and its switch.
import type { Figures } from '@/model/troubleshooting/request'
import { managerWith, overSnmp, overSsh } from './_change'
import { lab, until } from './_lab'

export type Shown = {
  id: string
  state: 'running' | 'done' | 'failed' | 'cancelled'
  figures?: Figures
  lines: string[]
  failure?: { reason: string; detail: string }
  by: string
}
type Site = Awaited<ReturnType<typeof managerWith>>

export let site: Site
export let [gw, ap, sw]: number[] = []
export const gateway = '10.77.0.1'
export const internet = '203.0.113.1'

export const ask = async (request: object, deviceId?: number) =>
  String((await site.ok('diagnostics/run', { request, ...(deviceId !== undefined && { deviceId }) })).id)
export const result = (id: string) => site.ok('diagnostics/result', { id }) as Promise<unknown> as Promise<Shown>
export const ended = (id: string) =>
  until(async () => {
    const now = await result(id)
    return now.state !== 'running' && now
  })
export const look = async (request: object, deviceId?: number) => ended(await ask(request, deviceId))

export async function begin(): Promise<void> {
  await lab.up()
  await Promise.all([lab.reset('gw'), lab.reset('ap1')])
  site = await managerWith([await overSsh('gw', 'gateway'), await overSsh('ap1', 'ap'), await overSnmp()])
  ;[gw, ap, sw] = site.ids
}
export const end = () => site?.end()
