import { callApi, timeoutOf } from '@/app/_api/client'

const sent: RequestInit[] = []
let answer: () => void
beforeEach(() => {
  sent.length = 0
  const answered = new Promise<void>(done => {
    answer = done
  })
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    sent.push(init ?? {})
    const ended = new Promise((_, failed) => init?.signal?.addEventListener('abort', () => failed(init.signal?.reason)))
    await Promise.race([answered, ended])
    return Response.json({ retCode: 0, data: {}, type: 'success' })
  })
})
afterEach(() => jest.restoreAllMocks())

test('how long an answer is waited for: as the call says, else half a minute', () => {
  expect(timeoutOf('devices/list')).toBe(30_000)
  expect(timeoutOf('networks/add')).toBe(300_000)
  expect(timeoutOf('backups/restore')).toBeUndefined()
})

test('a second click on what is sent once takes the place of the first', async () => {
  const first = callApi('users/delete', { id: 7 })
  const other = callApi('users/delete', { id: 8 })
  const second = callApi('users/delete', { id: 7 })
  await expect(first).rejects.toBe('replaced')
  answer()
  expect(await Promise.all([other, second])).toEqual([{}, {}])
})

test('what is not, is sent as often as it is asked for', async () => {
  const both = [1, 2].map(() => callApi('devices/sync', { id: 7 }))
  answer()
  expect(await Promise.all(both)).toEqual([{}, {}])
  expect(sent.map(({ keepalive }) => keepalive)).toEqual([false, false])
})

test('a new order goes out though its page is left, as long as browsers carry it', async () => {
  const sorted = (count: number) => callApi('networks/sort', { ids: Array.from({ length: count }, (_, at) => at) })
  const both = [sorted(3), sorted(20_000)]
  answer()
  await Promise.all(both)
  expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, false])
})
