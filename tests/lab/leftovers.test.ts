import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { lab, run, until } from './_lab'
import { type SecondLab, secondLab, temporaryBase } from './_second-lab'

// A run can be killed with everything that it started: nothing of it tidies up then. The next one does.

const prefix = `lwk${process.pid}`
/** Tells the run's own command from all others. */
const forLong = `87${process.pid}`

let second: SecondLab
let owner: ChildProcess | undefined

beforeAll(async () => {
  second = await secondLab(prefix, 'small')
})
afterAll(() => second.call('down'))

/** Those of them that still run; one that only waits for its parent to ask how it ended does not. */
const runningOf = async (pids: number[]) =>
  (await run('ps', ['-o', 'pid=,stat=', '-p', pids.join()])).stdout.split('\n').filter(line => /\d+ +[^Z]/.test(line))
const temporaryFolders = () => readdirSync(temporaryBase).filter(name => name.startsWith(`lanward-run-${owner?.pid}-`))

/** A process and all that it started. */
async function family(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid='])
  const pairs = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    pairs.flatMap(([child = 0, its]) => (its === parent ? [child, ...below(child)] : []))
  return [pid, ...below(pid)]
}

/** The processes of the second lab: its owner's, and those of the devices, which have no parent here any more. */
async function processes(): Promise<number[]> {
  const runner = existsSync(`${second.state}/ap1/runner`) ? second.runnerOf('ap1') : 0
  return [...(await family(owner?.pid ?? 0)), ...(runner > 0 ? await family(runner) : [])]
}

/** Begins a run in a second lab, and kills all of it at once as soon as `reached` says so. */
async function killWhen(reached: () => boolean | Promise<boolean>): Promise<number[]> {
  const [file = '', ...args] = second.command
  owner = spawn(file, [...args, 'run', 'sleep', forLong], { stdio: 'ignore' })
  const ended = new Promise(done => owner?.once('exit', done))
  await until(reached, { everyMs: 1 })
  const killed = await processes()
  await run('kill', ['-KILL', ...killed.map(String)])
  await ended
  return killed
}

/** The lab that these tests run in, as it is before a sweep and has to be after it. */
const living = async () => ({
  boot: (await lab.in('ap1', ['cat', '/proc/1/stat'])).stdout.split(' ')[21],
  status: (await lab.up()).up,
})

const runs = async () => (await run('pgrep', ['-fx', `sleep ${forLong}`])).code === 0
const points: [string, () => boolean | Promise<boolean>][] = [
  ['before its first namespace', () => existsSync(`${second.state}/owner`)],
  ['between its namespaces', () => existsSync(`/run/netns/${prefix}-wires`)],
  ['while its device boots', () => existsSync(`${second.state}/ap1/runner`)],
  ['when its command runs', runs],
]

it.each(points)(
  'a run that is killed %s leaves nothing once it is swept, and another lab lives on',
  async (_, reached) => {
    const before = await living()
    const killed = await killWhen(reached)
    expect(await second.remains()).not.toEqual([])
    expect(await second.call('sweep')).toMatchObject({ code: 0, stderr: '' })
    expect(await second.remains()).toEqual([])
    await until(async () => (await runningOf(killed)).length === 0)
    expect(temporaryFolders()).toEqual([])
    expect(await living()).toEqual(before)
  },
)

it('what outlives its killed owner is ended, too, with the files that it has in the temporary folder', async () => {
  const [file = '', ...args] = second.command
  const left = `touch "$TMPDIR/left"; exec setsid sleep ${forLong}`
  owner = spawn(file, [...args, 'run', 'sh', '-c', left], { stdio: 'ignore' })
  await until(runs)
  const alive = await processes()
  const [folder = ''] = temporaryFolders()
  expect(readdirSync(`${temporaryBase}/${folder}`)).toEqual(['left'])
  owner.kill('SIGKILL')
  expect(await second.call('sweep')).toMatchObject({ code: 0, stderr: '' })
  expect(await second.remains()).toEqual([])
  await until(async () => (await runningOf(alive)).length === 0)
  expect(temporaryFolders()).toEqual([])
})

it('a lab that somebody brought up by hand stays, as does a run that goes on', async () => {
  expect((await second.call('up')).code).toBe(0)
  const runner = second.runnerOf('ap1')
  expect(await second.call('sweep')).toMatchObject({ code: 0, stderr: '' })
  expect(second.runnerOf('ap1')).toBe(runner)
  expect((await second.call('in', 'ap1', 'true')).code).toBe(0)
  expect((await second.call('down')).code).toBe(0)
  expect(await second.remains()).toEqual([])
})
