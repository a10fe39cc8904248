import { inTurn, type Turns } from '@/server/guests/sessions/turns'

/** Sendings that end when they are told to. */
function line() {
  const turns: Turns<number> = new Map()
  const sent: { items: number[]; end(error?: Error): void }[] = []
  const send = (items: number[]) =>
    new Promise<void>((done, failed) => {
      sent.push({ items, end: error => (error ? failed(error) : done()) })
    })
  return { turns, sent, put: (...items: number[]) => inTurn(turns, 'gw', items, send) }
}
const settled = () => new Promise(done => setImmediate(done))

test('what comes while one is sent goes together, next', async () => {
  const { turns, sent, put } = line()
  const first = put(1)
  const others = [put(2), put(3, 4), put(5)]
  expect(sent.map(one => one.items)).toEqual([[1]])
  sent[0]?.end()
  await first
  await settled()
  expect(sent.map(one => one.items)).toEqual([[1], [2, 3, 4, 5]])
  const late = put(6)
  sent[1]?.end()
  await Promise.all(others)
  await settled()
  sent[2]?.end()
  await late
  await settled()
  expect(turns.size).toBe(0)
})

test('a sending that fails is told to whoever was in it, and to nobody after it', async () => {
  const { turns, sent, put } = line()
  const [first, second, third] = [put(1), put(2), put(3)]
  sent[0]?.end(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await settled()
  sent[1]?.end()
  await expect(Promise.all([second, third])).resolves.toHaveLength(2)
  await settled()
  expect(turns.size).toBe(0)
  const again = put(4)
  sent[2]?.end()
  await again
})
