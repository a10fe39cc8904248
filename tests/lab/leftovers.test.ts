import { readFileSync } from 'node:fs'
import { root } from '../appliance/_manager'
import { lab, run, until } from './_lab'

const script = `${root}/appliance/lab/lab.sh`

/** Where labs are made: this test runs in the network of one, whose mounts nobody else sees. */
async function outside(command: string[], env: Record<string, string> = {}) {
  const { state } = await lab.up()
  const [pid] = readFileSync(`${state}/gw/runner`, 'utf8').split(' ')
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return run('nsenter', [`--mount=/proc/${pid}/ns/mnt`, `--net=/proc/${pid}/ns/net`, 'env', ...words, ...command])
}
const runs = async (pid: string) => (await outside(['kill', '-0', pid])).code === 0

test('what a run that was killed left in the manager’s network ends with its lab, and nothing else does', async () => {
  const prefix = `z${String(process.pid).slice(-5)}`
  const own = { LANWARD_LAB_PREFIX: prefix }
  expect(await outside(['ip', 'netns', 'add', `${prefix}-mgr`])).toMatchObject({ code: 0, stderr: '' })
  const left = (network: string[]) =>
    outside([...network, 'sh', '-c', 'setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $!'])
  const inside = (await left(['ip', 'netns', 'exec', `${prefix}-mgr`])).stdout.trim()
  const beside = (await left([])).stdout.trim()
  expect([await runs(inside), await runs(beside)]).toEqual([true, true])
  expect(await outside(['bash', script, 'down'], own)).toMatchObject({ code: 0 })
  await until(async () => !(await runs(inside)))
  expect(await runs(beside)).toBe(true)
  await outside(['kill', beside])
})
