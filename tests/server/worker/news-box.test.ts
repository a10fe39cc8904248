import { keepNews, newNewsBox, sendNews } from '@/server/worker/news-box'
import type { DeviceEvent, StateChange } from '@/server/worker/protocol'

const at = 1_800_000_000_000
const up: DeviceEvent = { at, code: 'portUp', values: { port: '1' } }
const down: DeviceEvent = { at: at + 1, code: 'portDown', values: { port: '1' } }

function setUp() {
  const sent: StateChange[][] = []
  return { box: newNewsBox(states => sent.push(states)), sent }
}

test('several changes of a device are sent as one: the newest state, all events in order', () => {
  const { box, sent } = setUp()
  keepNews(box, { id: 1, at, status: 1, reason: 'noView', events: [up] })
  keepNews(box, { id: 2, at, status: 0, reason: 'timeout' })
  keepNews(box, { id: 1, at: at + 1, status: 1, reason: '', seenAt: at, events: [down] })
  sendNews(box)
  expect(sent).toEqual([
    [
      { id: 1, at: at + 1, status: 1, reason: '', seenAt: at, events: [up, down] },
      { id: 2, at, status: 0, reason: 'timeout', events: [] },
    ],
  ])
})

test('what was sent is not sent again, and nothing is sent where there is nothing', () => {
  const { box, sent } = setUp()
  sendNews(box)
  keepNews(box, { id: 1, at, status: 1, reason: '', events: [up] })
  sendNews(box)
  sendNews(box)
  keepNews(box, { id: 1, at: at + 1, status: 0, reason: 'timeout' })
  sendNews(box)
  expect(sent.map(states => states.map(({ status, events }) => [status, events.length]))).toEqual([[[1, 1]], [[0, 0]]])
})

test('a change without a state says that it is not known yet', () => {
  const { box } = setUp()
  keepNews(box, { id: 1, openLogin: true })
  expect(box.held.get(1)).toMatchObject({ status: 3, reason: '', openLogin: true })
})
