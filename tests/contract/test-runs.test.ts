// The runner of the tests itself: what belongs to which run, and that each end of a file is told as what it is.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

const root = resolve(__dirname, '../..')
const runs = 'tests/contract/_runs'

/** What a program of the runner's modules prints, as JSON, on its last line. */
function asked<T>(script: string): T {
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
    env,
  })
  const last = stdout.trimEnd().split('\n').at(-1)
  if (!last) throw new Error(stderr)
  return JSON.parse(last) as T
}

type Told = { file: string; passed: number; failures: string[]; seconds?: number; cpu?: number }
/** Files as the runner runs them: what it tells of each, by name. */
function told(files: string[], options: object): Record<string, Told> {
  const rows = asked<Told[]>(`
    import { jest } from './appliance/testing/jest.mjs'
    const rows = []
    const paths = ${JSON.stringify(files.map(name => `${runs}/${name}.ts`))}
    await jest(paths, ${JSON.stringify(options)}, one => rows.push(one))
    console.log(JSON.stringify(rows))`)
  return Object.fromEntries(rows.map(row => [row.file.replace(`${runs}/`, '').replace('.ts', ''), row]))
}

describe('what npm test runs', () => {
  const files = (part: string, set: string) =>
    asked<string[]>(`
      import { filesOf } from './appliance/testing/sets.mjs'
      console.log(JSON.stringify(filesOf('${part}', '${set}')))`)
  const sets = asked<Record<string, { parts: string[]; sample?: boolean; minutes: number }>>(`
    import { sets } from './appliance/testing/sets.mjs'
    console.log(JSON.stringify(sets))`)
  const of = (set: string) => sets[set]?.parts.flatMap(part => files(part, set)) ?? []

  test('no file of lab or browser is part of it beside smoke, and it is cut before whoever waits gives up', () => {
    const small = of('test')
    expect(small.filter(file => /^tests\/(lab|browser|long|kernel)\//.test(file))).toEqual([])
    expect(small.filter(file => file.startsWith('tests/smoke/')).length).toBe(1)
    expect(sets.test).toMatchObject({ sample: true, minutes: 40 })
  })

  test('every test file is part of test:all, whole, or of test:long', () => {
    const every = readdirSync(`${root}/tests`, { recursive: true, encoding: 'utf8' })
      .filter(name => /\.test\.tsx?$/.test(name))
      .map(name => `tests/${name}`)
    expect([...new Set([...of('all'), ...of('long')])].sort()).toEqual(every.sort())
    expect([sets.all?.sample, sets.long?.sample]).toEqual([undefined, undefined])
  })

  test('the commit check runs it, and the nightly one all of the others', () => {
    const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
    expect(read('.ci/run')).toMatch(/^exec npm test$/m)
    expect(read('.github/workflows/test.yml')).toContain('.ci/run')
    for (const name of ['test:all', 'test:long']) expect(read('.github/workflows/nightly.yml')).toContain(name)
  })
})

test('a file that passes, one that fails and one that breaks its process are told as that, and the others run all the same', () => {
  const rows = told(['breaks', 'fails', 'passes'], { workers: 2, limitMs: 600_000 })
  expect(rows.passes).toMatchObject({ passed: 1, failures: [] })
  expect(rows.passes?.cpu).toBeGreaterThanOrEqual(0)
  expect(rows.fails).toMatchObject({ passed: 1, failures: [expect.stringContaining('fails: ')] })
  expect(rows.breaks).toMatchObject({ passed: 0, failures: [expect.any(String)] })
  const alone = told(['breaks'], { limitMs: 600_000 })
  expect(alone.breaks?.failures).toEqual([expect.stringContaining('before it did')])
})

test('a file that hangs is ended with what it had started, says where it was and what had failed; others run all the same', () => {
  const mark = `${process.pid}${Math.floor(performance.now())}`
  const rows = told(['hangs', 'passes'], { workers: 2, limitMs: 5_000, env: { LANWARD_TEST_MARK: mark } })
  expect(rows.passes).toMatchObject({ passed: 1, failures: [] })
  expect(rows.hangs).toMatchObject({
    passed: 0,
    failures: [
      expect.stringMatching(/^hung: .* it was at: hangs, and has started a program/),
      expect.stringMatching(/^fails before: /),
    ],
  })
  const alive = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`86399.${mark}`)
      } catch {
        return false
      }
    })
  expect(alive).toEqual([])
})

test('a second look: what passes then is flaky and passed, what fails again has failed, each in a lab of its own', () => {
  type Seen = { told: [string, string[]][]; flaky: string[]; labs: number; open: number; most: number }
  const seen = asked<Seen>(`
    import { withSecondLook } from './appliance/testing/lanes.mjs'
    const seen = { told: [], flaky: [], labs: 0, open: 0, most: 0 }
    const looks = { wobbles: 0, fails: 0, passes: 0, alone: 0 }
    const jobs = Object.keys(looks).map(file => ({ part: file === 'alone' ? 'browser' : 'lab', file }))
    await withSecondLook(jobs, {
      lanes: 2,
      async newLab() {
        seen.labs += 1
        seen.open += 1
        seen.most = Math.max(seen.most, seen.open)
        return { end: async () => { seen.open -= 1 } }
      },
      async runFile({ file }) {
        looks[file] += 1
        await new Promise(setImmediate)
        const bad = file === 'fails' || (file === 'wobbles' && looks[file] === 1)
        return { failures: bad ? ['title: look ' + looks[file]] : [] }
      },
      tell: ({ file }, { failures }) => seen.told.push([file, failures]),
      flaky: lines => seen.flaky.push(...lines),
    })
    console.log(JSON.stringify(seen))`)
  expect(seen.told.toSorted()).toEqual([
    ['alone', []],
    ['fails', ['title: look 2']],
    ['passes', []],
    ['wobbles', []],
  ])
  expect(seen.flaky).toEqual(['wobbles › title: look 1'])
  expect([seen.open, seen.most]).toEqual([0, 2])
})

test('a lane whose lab does not start gives its file back to the others', () => {
  const seen = asked<string[]>(`
    import { withSecondLook } from './appliance/testing/lanes.mjs'
    const seen = []
    let labs = 0
    await withSecondLook(['one', 'two', 'three'].map(file => ({ part: 'lab', file })), {
      lanes: 2,
      newLab: async () => (labs++ === 0 ? undefined : { end: async () => undefined }),
      async runFile({ file }) {
        await new Promise(setImmediate)
        return { file, failures: [] }
      },
      tell: ({ file }) => seen.push(file),
      flaky: () => undefined,
    })
    console.log(JSON.stringify(seen))`)
  expect(seen.toSorted()).toEqual(['one', 'three', 'two'])
})

test('a run begins with the files that took longest, and with those that nobody has measured', () => {
  const folder = mkdtempSync(`${tmpdir()}/durations-`)
  const files = asked<string[][]>(`
    import { keepDuration, longestFirst, readDurations } from './appliance/testing/durations.mjs'
    const path = ${JSON.stringify(`${folder}/made/seconds.json`)}
    const order = () => longestFirst(['new', 'short', 'long', 'newer'].map(file => ({ file })), readDurations(path))
    const orders = [order()]
    for (const [file, seconds] of [['short', 9], ['long', 3], ['long', 30]]) keepDuration({ file, seconds }, path)
    orders.push(order())
    console.log(JSON.stringify(orders.map(jobs => jobs.map(({ file }) => file))))`)
  rmSync(folder, { recursive: true })
  expect(files).toEqual([
    ['new', 'short', 'long', 'newer'],
    ['new', 'newer', 'long', 'short'],
  ])
})

test('work takes its turn: never more at once than there are cores', () => {
  const most = asked<number>(`
    import { budgetOf } from './appliance/testing/budget.mjs'
    const budget = budgetOf(2)
    let now = 0
    let most = 0
    await Promise.all([1, 0.5, 2, 1, 7, 0.5, 0.5, 1].map(async cost => {
      const giveBack = await budget.take(cost)
      now += Math.min(cost, 2)
      most = Math.max(most, now)
      await new Promise(setImmediate)
      now -= Math.min(cost, 2)
      giveBack()
    }))
    console.log(JSON.stringify(most))`)
  expect(most).toBe(2)
})

test('a run that is cut says so, says what did not run, and ends with its counts', () => {
  const { stdout, status } = spawnSync(process.execPath, ['appliance/test.mjs', 'check', 'unit'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, LANWARD_TEST_LIMIT: '0.01' },
  })
  expect(status).toBe(1)
  expect(stdout).toContain('the run was cut after 0.01 minutes')
  expect(stdout).toMatch(/Not run:\n[\s\S]*tests\/contract\/test-runs\.test\.ts/)
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, 1 failed, 0 skipped$/)
})

test('a run that is ended from outside says what is known then', async () => {
  const child = spawn(process.execPath, ['appliance/test.mjs', 'unit'], { cwd: root })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', text => (said += text))
  child.stdout.once('data', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(said).toContain('the run was cut by SIGTERM')
  expect(said).toMatch(/Not run:\n[\s\S]*tests\/contract\/test-runs\.test\.ts/)
})

test('--since: a page touches the browser files of its area, a driver its lab files, what nobody knows touches all', () => {
  const touched = (...changed: string[]) =>
    asked<string[]>(`
      import { filesOf } from './appliance/testing/sets.mjs'
      import { byArea } from './appliance/testing/touched.mjs'
      const files = ['lab', 'browser'].flatMap(part => filesOf(part, 'all'))
      console.log(JSON.stringify([String(files.length), ...byArea(${JSON.stringify(changed)}, files)]))`)
  const [all, ...ofApi] = touched('app/(console)/organization/api/page.tsx', 'docs/glossary.md')
  expect(ofApi.toSorted()).toEqual(['tests/browser/api.test.ts', 'tests/browser/parts.test.ts'])
  expect(touched('server/drivers/openwrt/driver.ts')).toContain('tests/lab/openwrt.test.ts')
  expect(touched('docs/glossary.md').slice(1)).toEqual([])
  for (const path of ['server/kernel/bus.ts', 'package.json', 'a-new-folder/file.ts'])
    expect(touched('docs/glossary.md', path).length - 1).toBe(Number(all))
})
