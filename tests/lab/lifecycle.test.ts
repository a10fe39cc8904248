import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { root } from '../appliance/_manager'
import { lab, run, until } from './_lab'
import { type SecondLab, secondLab } from './_second-lab'

let second: SecondLab

beforeAll(async () => {
  second = await secondLab(`lwb${process.pid}`, 'whole')
})
afterAll(() => second.call('down'))

it('runs beside another lab, apart from it', async () => {
  expect(await second.call('up')).toMatchObject({ code: 0, stderr: '' })
  await second.call('in', 'c1', 'touch', '/tmp/marker')
  expect((await second.call('in', 'c1', 'ls', '/tmp/marker')).code).toBe(0)
  expect((await lab.in('c1', ['ls', '/tmp/marker'])).code).not.toBe(0)
  expect((await second.call('status')).stdout.match(/ answers$/gm)).toHaveLength(3)
})

it('is left as it is by a second up', async () => {
  const before = second.runnerOf('gw')
  expect((await second.call('up')).code).toBe(0)
  expect(second.runnerOf('gw')).toBe(before)
})

it('is made anew by up when its processes were killed', async () => {
  const devices = ['gw', 'sw1', 'ap1', 'c1', 'c2', 'inet']
  const killed = devices.map(device => second.runnerOf(device))
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  expect((await second.call('status')).code).toBe(3)
  expect((await second.call('up')).code).toBe(0)
  expect(killed).not.toContain(second.runnerOf('gw'))
  expect((await second.call('status')).stdout.match(/ answers$/gm)).toHaveLength(3)
})

it('is gone after down, and a second down is no error', async () => {
  expect(await second.remains()).not.toEqual([])
  expect((await second.call('down')).code).toBe(0)
  await until(async () => (await second.remains()).length === 0)
  expect((await second.call('down')).code).toBe(0)
})

it('is ended by the next run when its own was killed, with what that left behind', async () => {
  const forLong = `86${process.pid}`
  const [file = '', ...args] = second.command
  const killed = spawn(file, [...args, 'run', 'sleep', forLong], { stdio: 'ignore' })
  const { stdout } = await until(async () => {
    const ran = await run('pgrep', ['-fx', `sleep ${forLong}`])
    return ran.code === 0 && ran
  })
  killed.kill('SIGKILL')
  expect(await second.call('run', 'true')).toMatchObject({ code: 0 })
  await until(async () => (await second.remains()).length === 0)
  for (const pid of stdout.trim().split('\n')) expect(existsSync(`/proc/${pid}`)).toBe(false)
})

it('says how it is used, and which devices there are', async () => {
  expect(await second.call('sing')).toMatchObject({ code: 64, stderr: expect.stringContaining('lab.sh up | down') })
  expect(await run(`${root}/appliance/lab/lab.sh`, ['cut', 'sw9'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no device 'sw9'"),
  })
  expect(await second.call('in', 'gw', 'true')).toMatchObject({ code: 1, stderr: expect.stringContaining('not up') })
})
