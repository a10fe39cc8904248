import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { codes } from '@/model/codes'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { clientOf } from '../soak/client'
import { checkIntegrity, prepareWizard } from '../soak/kills'
import { owner } from '../soak/owner'
import { type Manager, post, removeFolder, startManager } from './_manager'

// A file system of its own, so that it can really be full. Mounting needs root.
const asRoot = process.getuid?.() === 0
const made: string[] = []
let manager: Manager | undefined

function smallDisk(): string {
  const folder = mkdtempSync(`${tmpdir()}/lanward-disk-`)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'lanward-test', folder])
  made.push(folder)
  return folder
}

afterEach(async () => {
  await manager?.stop()
  for (const folder of made.splice(0)) {
    execFileSync('umount', [folder])
    removeFolder(folder)
  }
})

async function fillAndRecover(): Promise<void> {
  const data = smallDisk()
  manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
  const client = clientOf(manager.http)
  await prepareWizard(client)
  await client.must('wizard/finish')
  writeFileSync(`${data}/filler`, Buffer.alloc(1))
  const free = statfsSync(data)
  try {
    writeFileSync(`${data}/filler`, Buffer.alloc(free.bavail * free.bsize))
  } catch {
    // Whatever fitted fills it.
  }
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answers = []
  for (let i = 0; i < 60; i++) {
    const input = { networkName: `N${i} ${'x'.repeat(40)}`, country: 'PT', timezone: 'UTC' }
    const { status, json } = await post(manager.http, 'networks/add', input, { cookie })
    answers.push({ status, retCode: json.retCode })
  }
  const refused = answers.filter(answer => answer.retCode !== 0)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) expect(answer).toEqual({ status: 200, retCode: codes.storageFull })
  // Whoever comes to see why can come in, and take something away; a fresh browser, too.
  const fresh = clientOf(manager.http)
  await fresh.must('login', { userName: owner.account, userPwd: passwordDigest(owner.password) })
  const { result } = (await fresh.must('networks/list')) as { result: { id: number; networkName: string }[] }
  const made = result.filter(one => one.networkName.startsWith('N'))
  for (const { id } of made.slice(0, 3)) await fresh.must('networks/delete', { id })
  const add = { networkName: 'Not yet', country: 'PT', timezone: 'UTC' }
  const own = [...fresh.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await post(manager.http, 'networks/add', add, { cookie: own })).json.retCode).toBe(codes.storageFull)
  const removed = Math.min(3, made.length)
  rmSync(`${data}/filler`)
  await client.must('networks/add', { networkName: 'After', country: 'PT', timezone: 'UTC' })
  const { total } = (await client.must('networks/options')) as { total: number }
  expect(total).toBe(2 + answers.length - refused.length - removed)
  await manager.stop()
  manager = undefined
  checkIntegrity(data)
}

if (asRoot)
  test('a full disk: the call says so and changes nothing, and all is well once there is room again', fillAndRecover)
else
  test('a full disk: left out, mounting needs root', () => {
    console.log('left out: a full disk (mounting needs root)')
  })
