/** @jest-environment jsdom */
import { beat, type Message, newStream, type Stream, take } from '@/app/_api/stream'
import { leaderKey, leaderMark, roleAt } from '@/app/_api/stream-leader'

/** A connection that opens, speaks and breaks when the test says so. */
class FakeSource {
  static readonly CLOSED = 2
  static made: FakeSource[] = []
  readyState = 1
  onopen?: () => void
  onmessage?: (message: { data: string }) => void
  onerror?: () => void
  constructor(readonly url: string) {
    FakeSource.made.push(this)
  }
  beat?: () => void
  addEventListener(_: 'beat', heard: () => void) {
    this.beat = heard
  }
  close() {
    this.readyState = FakeSource.CLOSED
  }
}

const now = Date.parse('2026-01-02T03:04:05Z')
const event = { topic: 'devices', organization: 1, network: 1 } as const

beforeEach(() => {
  jest.useFakeTimers({ now })
  localStorage.clear()
  FakeSource.made = []
  // Whether the manager answers at all is asked beside, and is nothing to these.
  Object.assign(globalThis, { EventSource: FakeSource, fetch: () => new Promise(() => undefined) })
})
afterEach(() => jest.useRealTimers())

function tab(): { stream: Stream; said: Message[]; heard: unknown[] } {
  const said: Message[] = []
  const heard: unknown[] = []
  const stream = newStream({ postMessage: message => said.push(message as Message) })
  stream.listeners.add(one => heard.push(one))
  return { stream, said, heard }
}

/** A tab that leads and has a connection. */
function leader() {
  const one = tab()
  beat(one.stream)
  beat(one.stream)
  return { ...one, source: FakeSource.made[0] as FakeSource }
}

test.each([
  [null, 'claim'],
  [leaderMark('me', now - 60_000), 'lead'],
  [leaderMark('other', now - 6000), 'follow'],
  [leaderMark('other', now - 6001), 'claim'],
])('by the mark %j a tab’s role is %s', (mark, role) => {
  expect(roleAt(mark, 'me', now)).toBe(role)
})

test('a tab claims the lead first and connects at its next beat, once', () => {
  const { stream } = tab()
  beat(stream)
  expect(FakeSource.made).toHaveLength(0)
  beat(stream)
  beat(stream)
  expect(FakeSource.made.map(({ url }) => url)).toEqual(['/app/events'])
})

test('a leader whose mark another tab took closes its connection', () => {
  const { stream, source } = leader()
  localStorage.setItem(leaderKey, leaderMark('other', now))
  beat(stream)
  expect(stream.source).toBeUndefined()
  expect(source.readyState).toBe(FakeSource.CLOSED)
})

test('what the leader hears the other tabs are told; after it was down they are told that anything may have changed', () => {
  const { said, heard, source } = leader()
  source.onopen?.()
  expect(heard).toEqual(['all'])
  expect(said).toEqual([{ state: { live: true, since: now } }, { all: true }])
  source.onmessage?.({ data: JSON.stringify(event) })
  expect(heard.at(-1)).toEqual(event)
  expect(said.at(-1)).toEqual({ event })
})

test('a refused connection is tried again after half a minute, an interrupted one is left to the browser', () => {
  const { stream, source } = leader()
  source.onerror?.()
  expect(stream.source).toBe(source)
  source.close()
  source.onerror?.()
  expect(stream.source).toBeUndefined()
  jest.setSystemTime(now + 30_000)
  beat(stream)
  expect(FakeSource.made).toHaveLength(1)
  jest.setSystemTime(now + 30_001)
  beat(stream)
  expect(FakeSource.made).toHaveLength(2)
})

test('a connection that says nothing for nine seconds is dead: another one is made at the next beat', () => {
  const { stream, source } = leader()
  source.onopen?.()
  jest.setSystemTime(now + 5000)
  source.beat?.()
  jest.setSystemTime(now + 14_000)
  beat(stream)
  expect(stream.state.live).toBe(true)
  jest.setSystemTime(now + 14_001)
  beat(stream)
  expect(stream.state).toEqual({ live: false, since: now + 14_001 })
  expect(source.readyState).toBe(FakeSource.CLOSED)
  expect(FakeSource.made).toHaveLength(2)
})

test('a tab that only listens takes state and events of the leader, and answers no questions', () => {
  const { stream, said, heard } = tab()
  const changes: boolean[] = []
  stream.watchers.add(() => changes.push(stream.state.live))
  take(stream, { state: { live: true, since: 1 } })
  take(stream, { state: { live: true, since: 2 } })
  take(stream, { event })
  take(stream, { ask: true })
  expect(stream.state).toEqual({ live: true, since: 1 })
  expect(changes).toEqual([true])
  expect(heard).toEqual([event])
  expect(said).toEqual([])
})

test('a new tab that asks is told the state by the leader', () => {
  const { stream, said } = leader()
  take(stream, { ask: true })
  expect(said).toEqual([{ state: stream.state }])
})

test('a page that is left beats no more', () => {
  const { stream } = tab()
  stream.away = true
  beat(stream)
  expect(localStorage.getItem(leaderKey)).toBeNull()
})
