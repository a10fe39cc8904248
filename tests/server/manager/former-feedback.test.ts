// Feedback that waited in files beside the database when the manager was upgraded.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { startMail } from '@/server/mail/start'
import { startFeedback } from '@/server/manager/feedback/deliver'
import { attached, drop, type Feedback, kept } from '@/server/manager/feedback/store'
import { scratchFolder } from '../../_scratch'
import { type Manager, startTestManager } from '../_manager'

let data: string
let one: Manager
const start = async () => {
  one = await startTestManager({ data, starters: [runtime => startMail(runtime), startFeedback] })
}
beforeEach(() => {
  data = scratchFolder('lanward-former-')
  mkdirSync(`${data}/feedback`)
})
afterEach(async () => {
  await one.stop()
  rmSync(data, { recursive: true, force: true })
})

const about = { account: 'rita', name: 'Rita', role: 'guestEditor', version: '0.1.0', browser: 'Firefox, Linux' }
const png = Buffer.from('picture')
/** As it was written then. */
function waiting(at: number, more: object = {}): Feedback {
  const written = {
    ...about,
    id: randomUUID(),
    at,
    kind: 'problem' as const,
    text: 'It\nis dark',
    reply: '',
    error: '',
  }
  writeFileSync(`${data}/feedback/${written.id}.json`, JSON.stringify({ ...written, ...more }))
  return written
}
function withPicture(at: number): Feedback {
  const attachment = { name: 'lamp.png', type: 'image/png', size: png.length }
  const written = waiting(at, { attachment, error: 'no route' })
  writeFileSync(`${data}/feedback/${written.id}.bin`, png)
  return { ...written, attachment, error: 'no route' }
}

test('it is taken over with its attachment, once, and waits there too until it went', async () => {
  const [older, newer] = [waiting(1), withPicture(2)]
  await start()
  expect(kept(one.runtime)).toEqual([newer, older])
  expect(attached(one.runtime, newer)).toEqual(png)
  await one.stop()
  await start()
  expect(kept(one.runtime)).toEqual([newer, older])
  expect(readdirSync(`${one.runtime.generation}/files`)).toHaveLength(1)
  drop(one.runtime, newer.id)
  expect(readdirSync(`${data}/feedback`)).toEqual([`${older.id}.json`])
  await one.stop()
  await start()
  expect(kept(one.runtime)).toEqual([older])
  drop(one.runtime, older.id)
  expect(existsSync(`${data}/feedback`)).toBe(false)
})

test('what cannot be read, was only sent ahead or half written, keeps nothing else from being taken over', async () => {
  const told = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const lost = waiting(1, { attachment: { name: 'gone.png', type: 'image/png', size: 3 } })
  const large = withPicture(2)
  writeFileSync(`${data}/feedback/${large.id}.bin`, Buffer.alloc(6 * 1024 * 1024))
  const others = [`${randomUUID()}.json`, 'staged-1.json', 'staged-1.bin', `${randomUUID()}.json.partial`]
  for (const name of others) writeFileSync(`${data}/feedback/${name}`, '{')
  await start()
  expect(kept(one.runtime)).toEqual([lost])
  expect(told).toHaveBeenCalledWith(`feedback: ${large.id} cannot be taken over:`, new Error('fileTooLarge'))
  const left = [`${lost.id}.json`, `${large.id}.json`, `${large.id}.bin`, others[0]]
  expect(readdirSync(`${data}/feedback`).sort()).toEqual(left.sort())
  told.mockRestore()
})
