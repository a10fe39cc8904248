// What leaves the manager: once where nothing goes wrong, at least once under the same id where it is killed.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { eq, ne, type SQL } from 'drizzle-orm'
import { mails, webhookDeliveries } from '@/db/schema'
import { type Next, startOutbox } from '@/server/kernel/outbox'
import { outboxTable } from '@/server/kernel/outbox-table'
import { stopRuntime } from '@/server/kernel/runtime'
import { startMail } from '@/server/mail/start'
import { deliverKept, startFeedback } from '@/server/manager/feedback/deliver'
import { kept } from '@/server/manager/feedback/store'
import { webhookAlerts } from '@/server/notify/alerts/webhook-paused'
import { startWebhooks } from '@/server/notify/webhooks/start'
import { scratchFolder } from '../../_scratch'
import { until } from '../../lab/_lab'
import { randomOf } from '../../soak/random'
import { finishedWizard, type Manager, startTestManager } from '../_manager'
import { receiver } from '../_receiver'
import { smtpServer } from '../_smtp'

const root = resolve(__dirname, '../../..')

describe('an outbox', () => {
  let manager: Manager
  const ends = new Map<number, (error?: Error) => void>()
  beforeEach(async () => {
    manager = await startTestManager()
  })
  afterEach(async () => {
    const stopped = manager.stop()
    for (const end of ends.values()) end()
    await stopped
    ends.clear()
  })

  type Thing = { id: number; to: string; at: number }
  /** Things in memory; each stays on its way until `end` says how it ended. */
  function box(things: Thing[], atOnce: number) {
    const begun: number[] = []
    const outbox = startOutbox(manager.runtime, {
      name: 'things',
      atOnce,
      keyOf: ({ to }: Thing) => to,
      next(now, busy): Next<Thing> | undefined {
        const due = things.filter(one => !busy.includes(one.to)).toSorted((a, b) => a.at - b.at)[0]
        if (!due) return undefined
        if (due.at > now) return { at: due.at }
        things.splice(things.indexOf(due), 1)
        return { due }
      },
      send: ({ id }, stop) =>
        new Promise<string>((done, failed) => {
          begun.push(id)
          ends.set(id, error => (error ? failed(error) : done(stop.aborted ? 'too late' : `sent ${id}`)))
        }),
    })
    const end = async (id: number, error?: Error) => {
      ends.get(id)?.(error)
      await new Promise(setImmediate)
    }
    return { outbox, begun, end }
  }
  const thing = (id: number, to: string, at = 0): Thing => ({ id, to, at })

  test('sends in order, so many at once, and one at a time to the same receiver', async () => {
    const { begun, end } = box([thing(1, 'a'), thing(2, 'a'), thing(3, 'b'), thing(4, 'c'), thing(5, 'd')], 3)
    expect(begun).toEqual([1, 3, 4])
    await end(3)
    expect(begun).toEqual([1, 3, 4, 5])
    await end(1)
    expect(begun).toEqual([1, 3, 4, 5, 2])
  })

  test('what is put in while one is on its way goes after it', async () => {
    const things = [thing(1, 'a')]
    const { outbox, begun, end } = box(things, 1)
    things.push(thing(2, 'b'))
    outbox.wake()
    expect(begun).toEqual([1])
    await end(1)
    expect(begun).toEqual([1, 2])
  })

  test('an error that nobody expected is told; the next is not tried in the same breath', async () => {
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const timer = jest.spyOn(global, 'setTimeout')
    const things = [thing(1, 'a'), thing(2, 'b')]
    const { begun, end } = box(things, 1)
    await end(1, new Error('no disk'))
    expect(told).toHaveBeenCalledWith('things:', new Error('no disk'))
    expect(begun).toEqual([1])
    const [look, ms] = timer.mock.lastCall ?? []
    expect(ms).toBeGreaterThan(50_000)
    look?.()
    expect(begun).toEqual([1, 2])
    timer.mockRestore()
    told.mockRestore()
  })

  test('what cannot be read now is looked for again', async () => {
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const timer = jest.spyOn(global, 'setTimeout')
    let broken = true
    const sent: number[] = []
    startOutbox(manager.runtime, {
      name: 'things',
      atOnce: 1,
      keyOf: ({ id }: Thing) => id,
      next(): Next<Thing> | undefined {
        if (broken) throw new Error('disk I/O error')
        return sent.length ? undefined : { due: thing(1, 'a') }
      },
      send: async ({ id }) => void sent.push(id),
    })
    const [look] = timer.mock.lastCall ?? []
    broken = false
    look?.()
    expect(sent).toEqual([1])
    timer.mockRestore()
    told.mockRestore()
  })

  test('one that is to go later goes then, by itself', async () => {
    const at = Date.now() + 60
    const clock = jest.spyOn(Date, 'now').mockReturnValue(at - 60)
    const { begun } = box([thing(1, 'a', at)], 1)
    expect(begun).toEqual([])
    clock.mockRestore()
    await until(() => begun.length === 1)
  })

  test('sent before its turn it is not sent twice; idle is when all has ended', async () => {
    const first = thing(1, 'a')
    const { outbox, begun, end } = box([], 1)
    const now = outbox.sendNow(first)
    expect(outbox.sendNow(first)).toBeUndefined()
    let idle = false
    void outbox.idle().then(() => {
      idle = true
    })
    await end(0)
    expect(idle).toBe(false)
    await end(1)
    expect([await now, begun, idle]).toEqual(['sent 1', [1], true])
  })

  test('a clean stop waits for what is on its way, and begins no other', async () => {
    const { outbox, begun, end } = box([thing(1, 'a'), thing(2, 'b')], 1)
    let stopped = false
    const stop = stopRuntime().then(() => {
      stopped = true
    })
    await new Promise(setImmediate)
    outbox.wake()
    expect([stopped, begun]).toEqual([false, [1]])
    await end(1)
    await stop
    expect(begun).toEqual([1])
  })
})

describe('over a table', () => {
  let manager: Manager
  beforeEach(async () => {
    manager = await startTestManager()
  })
  afterEach(() => manager.stop())
  const table = outboxTable(mails, 'attempts')
  const add = (id: number, nextAt: number, expiresAt = 1_000_000) =>
    manager.runtime.db
      .insert(mails)
      .values({
        ...{ id, message: `m${id}`, recipient: 'ana@example.test', locale: 'en', template: 'test', values: '' },
        ...{ state: 'waiting', createdAt: 0, nextAt, expiresAt },
      })
      .run()
  const take = (now: number, where?: SQL) => table.take(manager.runtime.db, now, where)
  const stateOf = (id: number) => manager.runtime.db.select().from(mails).where(eq(mails.id, id)).get()

  test('a row is taken when its time has come, the one first that waits longest; its tries are counted', () => {
    expect(take(0)).toBeUndefined()
    add(1, 300)
    add(2, 200)
    add(3, 200)
    expect(take(199)).toEqual({ at: 200 })
    expect(take(250)).toMatchObject({ due: { id: 2, attempts: 1, state: 'waiting' } })
    expect(stateOf(2)).toMatchObject({ state: 'sending', attempts: 1 })
    expect(take(250, ne(mails.id, 3))).toEqual({ at: 300 })
    expect(take(250)).toMatchObject({ due: { id: 3 } })
    expect(take(300)).toMatchObject({ due: { id: 1 } })
    expect(take(300)).toBeUndefined()
  })

  test('one that is worth nothing any more is due; what was on its way comes back with its tries', () => {
    add(1, 500, 100)
    expect(take(99)).toEqual({ at: 100 })
    expect(take(100)).toMatchObject({ due: { id: 1 } })
    manager.runtime.db
      .insert(mails)
      .values({ ...stateOf(1), id: 2, message: 'm2', state: 'failed' } as never)
      .run()
    table.comeBack(manager.runtime.db)
    expect([stateOf(1), stateOf(2)]).toMatchObject([{ state: 'waiting', attempts: 1 }, { state: 'failed' }])
  })
})

describe('kill -9', () => {
  const data = scratchFolder('lanward-outbox-')
  const program = `${root}/dist/test-outbox/main.mjs`
  const random = randomOf(20_261_122)
  const kills = 5
  // Of letters and of deliveries: more than are acknowledged before a kill.
  const most = 40
  const acknowledged = { mail: [] as string[], hook: [] as string[], feedback: [] as string[] }
  let manager: Manager | undefined
  const closers: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    await manager?.stop()
    for (const close of closers) await close()
    rmSync(data, { recursive: true, force: true })
  })

  /** Runs until the kill, which comes when so many are acknowledged. */
  async function killed(child: ChildProcessByStdio<null, Readable, null>, count: number): Promise<void> {
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
      if (output.split('\n').length > count) child.kill('SIGKILL')
    })
    const ended = await new Promise(done => child.once('close', (_, signal) => done(signal)))
    expect(ended).toBe('SIGKILL')
    // A last line may be cut off: it was not acknowledged.
    for (const line of output.split('\n').slice(0, -1)) {
      const [kind, id] = line.split(' ') as [keyof typeof acknowledged, string]
      acknowledged[kind].push(id)
    }
  }

  test(`${kills} kills lose no letter, no delivery and no feedback that was acknowledged, and change no id`, async () => {
    const script = `import('${root}/appliance/build/bundle.mjs').then(b => b.bundle('${root}/tests/server/kernel/outbox-child.ts', '${program}'))`
    expect(spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }).stderr).toBe('')
    const [smtp, web] = [await smtpServer(), await receiver()]
    closers.push(smtp.close, web.close)
    manager = await startTestManager({ data, starters: [startFeedback] })
    const owner = await finishedWizard(manager)
    const set = async (path: string, input: object) => {
      const { retCode, data } = await owner.post(path, input)
      expect([path, retCode]).toEqual([path, 0])
      return data
    }
    const server = { host: '127.0.0.1', port: smtp.port, security: 'none', from: 'nms@example.test' }
    await set('system-settings/smtp/save', { ...server, publicUrl: 'https://nms.example.test' })
    await set('feedback/save', { address: 'help@example.test' })
    await set('webhooks/segments/save', { segments: ['127.0.0.1'] })
    const hook = await set('webhooks/save', { name: 'Desk', url: web.url, topics: ['alerts'] })
    await manager.stop()
    manager = undefined

    for (let kill = 0; kill < kills; kill++)
      await killed(
        spawn(process.execPath, [program, data, String(hook.id), String(most)], {
          cwd: root,
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
        60 + Math.floor(random() * 2 * (most - 30)),
      )
    manager = await startTestManager({
      data,
      starters: [made => startMail(made), made => startWebhooks(made, webhookAlerts), startFeedback],
    })
    const { runtime } = manager
    await deliverKept(runtime)
    const waiting = () => runtime.db.select().from(mails).all().length
    const open = () =>
      runtime.db.select().from(webhookDeliveries).where(ne(webhookDeliveries.state, 'done')).all().length
    await until(() => waiting() === 0 && open() === 0)

    const letters = smtp.letters.map(({ text }) => /^Message-ID: <([^@]+)@/m.exec(text)?.[1] ?? '')
    const events = web.posts.map(({ body }) => (JSON.parse(body) as { event: string }).event)
    const lost = (ids: readonly string[], arrived: readonly string[]) => ids.filter(id => !arrived.includes(id))
    expect(acknowledged.mail.length).toBeGreaterThan(100)
    expect(acknowledged.feedback.length).toBeGreaterThan(2)
    expect(lost([...acknowledged.mail, ...acknowledged.feedback], letters)).toEqual([])
    expect(lost(acknowledged.hook, events)).toEqual([])
    expect(kept(runtime)).toEqual([])
    // Twice goes what was on its way at a kill, and nothing else: a letter, a feedback, a delivery.
    expect(letters.length - new Set(letters).size).toBeLessThanOrEqual(2 * kills)
    expect(events.length - new Set(events).size).toBeLessThanOrEqual(kills)
  })
})
