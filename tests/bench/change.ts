import { performance } from 'node:perf_hooks'
import { scene } from '../server/_change'
import { type Row, row } from './table'

/** Stands for a command's way there and back. */
const latencyMs = 2000
const devices = { listed: 500, pushed: 100 }

const seconds = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** The change engine on scripted devices: what waits for 500 of them after one SSID changed, and a push to 100 slow ones. */
export async function measureChange(): Promise<Row[]> {
  const one = await scene(90)
  const aps = Array.from({ length: devices.listed }, (_, n) => one.add(`ap${n}`))
  const { id, revision } = await one.saveSsid('Harbour')
  await one.push(aps)
  await one.saveSsid('Harbour', { id, revision, key: 'another-key-1' })
  const listed = await seconds(() => one.ok('changes/list'))
  const slow = aps.slice(0, devices.pushed)
  for (const ap of slow) one.at(ap).latencyMs = latencyMs
  const watch = one.watch()
  watch.most = 0
  const pushed = await seconds(() => one.push(slow))
  await one.end()
  return [
    row(`plan and difference of ${devices.listed} devices after one SSID changed`, listed, 's', 2),
    row(`push to ${devices.pushed} devices of 2 s, over one after the other`, pushed / (devices.pushed * 2), 'x', 0.1),
    row('most devices pushed to at once', watch.most, 'devices', 20, 0),
  ]
}
