import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { root } from '../appliance/_manager'
import { lab, run, until } from './_lab'

const prefix = `lwb${process.pid}`
const script = `${root}/appliance/lab/lab.sh`
/** lab.sh for a second lab beside the one these tests run in. */
const second = (...args: string[]) =>
  run('env', [`LANWARD_LAB_PREFIX=${prefix}`, script, ...args], { timeoutMs: 240_000 })
const runnerOf = (state: string, device: string) =>
  readFileSync(`${state}/${device}/runner`, 'utf8').split(' ')[0] ?? ''

let state: string

/** Everything of the second lab that this machine still has. */
async function remains(): Promise<string[]> {
  const groups = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup'].filter(existsSync)
  const names = [...groups, '/run/netns'].flatMap(folder => readdirSync(folder))
  const processes = (await run('ps', ['-eo', 'args'])).stdout.split('\n').filter(line => line.includes(`${state}/`))
  return [...names.filter(name => name.includes(`${prefix}-`)), ...processes, ...(existsSync(state) ? [state] : [])]
}

beforeAll(async () => {
  state = (await lab.up()).state.replace(/[^/]+$/, prefix)
})
afterAll(() => second('down'))

it('runs beside another lab, apart from it', async () => {
  expect(await second('up')).toMatchObject({ code: 0, stderr: '' })
  await second('in', 'c1', 'touch', '/tmp/marker')
  expect((await second('in', 'c1', 'ls', '/tmp/marker')).code).toBe(0)
  expect((await lab.in('c1', ['ls', '/tmp/marker'])).code).not.toBe(0)
  expect((await second('status')).stdout.match(/ answers$/gm)).toHaveLength(3)
})

it('is left as it is by a second up', async () => {
  const before = runnerOf(state, 'gw')
  expect((await second('up')).code).toBe(0)
  expect(runnerOf(state, 'gw')).toBe(before)
})

it('is made anew by up when its processes were killed', async () => {
  const devices = ['gw', 'sw1', 'ap1', 'c1', 'c2', 'inet']
  const killed = devices.map(device => runnerOf(state, device))
  for (const pid of killed) process.kill(Number(pid), 'SIGKILL')
  expect((await second('status')).code).toBe(3)
  expect((await second('up')).code).toBe(0)
  expect(killed).not.toContain(runnerOf(state, 'gw'))
  expect((await second('status')).stdout.match(/ answers$/gm)).toHaveLength(3)
})

it('is gone after down, and a second down is no error', async () => {
  expect(await remains()).not.toEqual([])
  expect((await second('down')).code).toBe(0)
  await until(async () => (await remains()).length === 0)
  expect((await second('down')).code).toBe(0)
})

it('is ended by the next run when its own was killed, with what that left behind', async () => {
  const forLong = `86${process.pid}`
  const killed = spawn('env', [`LANWARD_LAB_PREFIX=${prefix}`, script, 'run', 'sleep', forLong], { stdio: 'ignore' })
  await until(() => existsSync(`${state}/owner`))
  const { stdout } = await until(async () => {
    const ran = await run('pgrep', ['-fx', `sleep ${forLong}`])
    return ran.code === 0 && ran
  })
  killed.kill('SIGKILL')
  expect(await second('run', 'true')).toMatchObject({ code: 0 })
  await until(async () => (await remains()).length === 0)
  for (const pid of stdout.trim().split('\n')) expect(existsSync(`/proc/${pid}`)).toBe(false)
})

it('says how it is used, and which devices there are', async () => {
  expect(await second('sing')).toMatchObject({ code: 64, stderr: expect.stringContaining('lab.sh up | down') })
  expect(await run(script, ['cut', 'sw9'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no device 'sw9'"),
  })
  expect(await second('in', 'gw', 'true')).toMatchObject({ code: 1, stderr: expect.stringContaining('not up') })
})
