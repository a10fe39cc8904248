import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sendOnce } from '@/server/notify/webhooks/send'
import { receiver } from '../_receiver'

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void
/** Bytes in use after collections; what ends only in a later turn of the loop has ended. */
async function used(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await new Promise(done => setImmediate(done))
    collect()
  }
  return process.memoryUsage().heapUsed
}

const letter = (url: string) => ({ url, body: '{}', secret: 'secret', now: 0 })

test('a try leaves nothing behind at the signal that ends with the manager, however it ended', async () => {
  const stop = new AbortController().signal
  const { url, close } = await receiver()
  const to = (lookup: () => Promise<{ address: string; family: number }[]>, limitMs = 60_000) => ({
    ...{ allowed: ['127.0.0.1/32'], lookup, limitMs, stop },
  })
  const nowhere = async () => []
  const never = () => new Promise<never>(() => undefined)
  expect((await sendOnce(letter(url), to(nowhere))).error).toBe('')
  expect((await sendOnce(letter('https://nowhere.test'), to(nowhere))).error).toBe('noAddress')
  expect((await sendOnce(letter('https://slow.test'), to(never, 20))).error).toBe('timeout')
  await close()
  expect(getEventListeners(stop, 'abort')).toEqual([])
  // Warm: what the first tries load and compile is not theirs.
  for (let i = 0; i < 300; i++) await sendOnce(letter('https://nowhere.test'), to(nowhere))
  const before = await used()
  for (let i = 0; i < 2000; i++) await sendOnce(letter('https://nowhere.test'), to(nowhere))
  expect((await used()) - before).toBeLessThan(1_000_000)
}, 60_000)

test('a try ends with the manager, also one that begins after', async () => {
  const control = new AbortController()
  const never = () => new Promise<never>(() => undefined)
  const ways = { allowed: [], lookup: never, limitMs: 60_000, stop: control.signal }
  const running = sendOnce(letter('https://slow.test'), ways)
  control.abort(new Error('stopping'))
  expect((await running).error).toBe('stopping')
  expect((await sendOnce(letter('https://slow.test'), ways)).error).toBe('stopping')
})
