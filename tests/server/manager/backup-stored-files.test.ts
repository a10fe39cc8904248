// What people gave as files, in backups: restored elsewhere with every byte, and refused by name where one is not right.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { create, extract } from 'tar'
import { files } from '@/db/schema'
import { codes } from '@/model/codes'
import { dropFiles, type FileKind, pathIfWhole, putFile, type StoredFile } from '@/server/kernel/files/store'
import { startMail } from '@/server/mail/start'
import { makeBackup } from '@/server/manager/backups/service'
import { runCommand } from '@/server/manager/command/commands'
import { startFeedback } from '@/server/manager/feedback/deliver'
import { attached, kept } from '@/server/manager/feedback/store'
import { scratchFolder } from '../../_scratch'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

const megabyte = 1024 * 1024
const firmware: FileKind = { name: 'firmware', bytes: 100 * megabyte, each: 5, all: 5 }
const passphrase = 'harbour-master'

let scratch: string
let manager: Manager
let owner: Browser
const start = (data: string) => startTestManager({ data, starters: [runtime => startMail(runtime), startFeedback] })
beforeEach(async () => {
  scratch = scratchFolder('lanward-given-')
  manager = await start(mkdtempSync(`${scratch}/data-`))
  owner = await finishedWizard(manager)
})
afterEach(async () => {
  await manager.stop()
  rmSync(scratch, { recursive: true, force: true })
})

async function given(body: Iterable<Uint8Array>): Promise<StoredFile> {
  const file = await putFile(manager.runtime, firmware, { owner: 'ap', name: 'a.bin', type: 'x/y' }, body)
  if ('problem' in file) throw new Error(file.problem)
  return file
}
const backup = async (): Promise<string> => {
  const { data } = await runCommand(manager.runtime, 'backup', { history: false, passphrase })
  return (data as { path: string }).path
}

test('a file over 5 MB and the attachment of feedback come back on another data folder as they were', async () => {
  const bytes = randomBytes(6 * megabyte + 1)
  const file = await given([bytes])
  const text = Buffer.from('Lamp 7, pier')
  const sent = await owner.raw('feedback/attach?name=lamp.txt', { method: 'POST', body: new Uint8Array(text) })
  const { data: attachment } = (await sent.json()) as { data: { id: string } }
  await owner.post('feedback/send', { kind: 'problem', text: 'It is dark', attachment: attachment.id })
  const path = await backup()
  await manager.stop()
  manager = await start(mkdtempSync(`${scratch}/data-`))
  await runCommand(manager.runtime, 'restore', { passphrase }, createReadStream(path))
  await manager.stop()
  manager = await start(manager.data)
  const row = manager.runtime.db.select().from(files).where(eq(files.id, file.id)).get()
  expect(row).toEqual(file)
  const restored = readFileSync(pathIfWhole(manager.runtime, file) ?? '')
  expect(restored.equals(bytes)).toBe(true)
  const [feedback] = kept(manager.runtime)
  expect(feedback).toMatchObject({ text: 'It is dark', attachment: { name: 'lamp.txt', type: 'text/plain' } })
  expect(feedback && attached(manager.runtime, feedback)).toEqual(text)
  expect(readdirSync(`${manager.runtime.generation}/files`)).toHaveLength(2)
})

test('files that shrink a thousandfold make no backup look like a bomb', async () => {
  const zeros = Buffer.alloc(megabyte)
  await given(Array.from({ length: 80 }, () => zeros))
  const name = (await backup()).split('/').at(-1)
  const { data } = await runCommand(manager.runtime, 'verify', { name, passphrase })
  expect(data).toMatchObject({ restorable: true })
})

test('a file that is dropped while the backup is made is in it, as its copy of the database says', async () => {
  const file = await given([Buffer.from('firmware')])
  const { sqlite, db } = manager.runtime
  const real = sqlite.backup.bind(sqlite)
  const copied = jest.spyOn(sqlite, 'backup').mockImplementation(async (...options) => {
    const done = await real(...options)
    dropFiles(db, firmware, 'ap')
    return done
  })
  const name = await makeBackup(manager.runtime, { automatic: false, history: false })
  copied.mockRestore()
  await extract({ file: `${manager.data}/backups/${name}`, cwd: scratch })
  expect(readdirSync(`${scratch}/files`)).toEqual([file.id])
  expect(readdirSync(`${manager.runtime.generation}/files`)).toEqual([])
})

test('a file that the disk turned or lost makes no backup, and the refusal names it', async () => {
  const file = await given([Buffer.from('firmware')])
  const path = `${manager.runtime.generation}/files/${file.id}`
  const refused = { code: 'backupDamaged', data: { entry: `files/${file.id}` } }
  writeFileSync(path, 'firmwarf')
  await expect(backup()).rejects.toMatchObject(refused)
  rmSync(path)
  await expect(backup()).rejects.toMatchObject(refused)
  expect(readdirSync(`${manager.data}/backups`).filter(name => name.endsWith('.gz'))).toEqual([])
})

type Json = { mac?: string; files: Record<string, { sha256: string; bytes: number }> }
type Forged = { folder: string; json: Json; path: string }
const turn = ({ folder, path }: Forged) => writeFileSync(`${folder}/${path}`, 'firmwarf')
const hashAnew = ({ folder, json, path }: Forged) => {
  const sha256 = createHash('sha256')
    .update(readFileSync(`${folder}/${path}`))
    .digest('hex')
  json.files[path] = { sha256, bytes: 8 }
}
const takeOut = ({ folder, path }: Forged) => rmSync(`${folder}/${path}`)
const untell = ({ json, path }: Forged) => void delete json.files[path]

test.each<[string, ...((forged: Forged) => void)[]]>([
  ['a turned byte', turn],
  ['a turned byte that was hashed anew', turn, hashAnew],
  ['a file that is missing', takeOut],
  ['a file that its list leaves out', untell],
  ['a file that is missing in its list, too', takeOut, untell],
])('an archive with %s is refused by the name of the file', async (_, ...changes) => {
  const { id } = await given([Buffer.from('firmware')])
  const folder = mkdtempSync(`${scratch}/forged-`)
  await extract({ file: await backup(), cwd: folder })
  const json = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')) as Json
  // Without what only its maker can prove, so that the rest is looked at.
  delete json.mac
  const forged = { folder, json, path: `files/${id}` }
  for (const change of changes) change(forged)
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(json))
  const name = 'lanward-forged-20261128-200000.tar.gz'
  const held = ['manifest.json', 'lanward.sqlite', forged.path].filter(one => existsSync(`${folder}/${one}`))
  await create({ file: `${manager.data}/backups/${name}`, cwd: folder, gzip: true, portable: true }, held)
  const { retCode, data } = await owner.post('backups/restore', { name, passphrase })
  expect([retCode, data]).toEqual([codes.backupDamaged, { entry: forged.path }])
  expect(readFileSync(`${manager.data}/current`, 'utf8')).toBe('gen-1\n')
})

test.each(['files/plan.png', 'files/../../current', 'files/', 'filesx'])(
  'an archive with %s is refused',
  async path => {
    const folder = mkdtempSync(`${scratch}/forged-`)
    await extract({ file: await backup(), cwd: folder })
    const name = 'lanward-forged-20261128-200000.tar.gz'
    writeFileSync(`${folder}/stray`, 'x')
    await create(
      {
        ...{ file: `${manager.data}/backups/${name}`, cwd: folder, gzip: true, portable: true, preservePaths: true },
        onWriteEntry: entry => {
          if (entry.path === 'stray') entry.path = path
        },
      },
      ['manifest.json', 'lanward.sqlite', 'stray'],
    )
    const { retCode } = await owner.post('backups/restore', { name, passphrase })
    expect(retCode).toBe(codes.backupUnsafe)
  },
)
