import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { root } from '../../appliance/_manager'

const folder = `${root}/dist/test-uncaught`
const program = `${folder}/main.mjs`
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...words: string[]) {
  const script = `import('${root}/appliance/build/bundle.mjs').then(b => b.bundle('${root}/tests/server/worker/uncaught-child.ts', '${program}'))`
  spawnSync(process.execPath, ['-e', script], { cwd: root, stdio: 'inherit' })
  return spawnSync(process.execPath, [program, ...words], { cwd: root, encoding: 'utf8', timeout: 30_000 })
}

test('what one device’s callbacks throw ends no other’s polls', () => {
  const { status, stdout } = run()
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    read: 5,
    told: ['uncaught: Error: awaited by nobody', 'uncaught: Error: in a callback'],
  })
})

test('a worker whose callbacks do not stop throwing ends, to be started anew', () => {
  expect(run('--storm').status).toBe(3)
})
