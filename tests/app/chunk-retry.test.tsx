/** @jest-environment jsdom */
// A part of the page on a connection that says nothing: no error comes, and none is waited for beyond two minutes.
import { ChunkRetry } from '@/app/chunk-retry'

jest.mock('next-intl/server', () => ({}))

const asked = (of: HTMLScriptElement) => document.head.querySelectorAll(`script[src="${of.getAttribute('src')}"]`)

/** What the bundler asks for. */
async function part(name: string): Promise<HTMLScriptElement> {
  const element = document.createElement('script')
  element.src = `/_next/static/chunks/${name}.js`
  document.head.appendChild(element)
  await Promise.resolve()
  return element
}

// The script of the page's head, as it runs there.
beforeAll(() => new Function(ChunkRetry({ nonce: '' }).props.dangerouslySetInnerHTML.__html)())
beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

test('a part that says nothing for two minutes is asked for again', async () => {
  const element = await part('silent')
  jest.advanceTimersByTime(119_999)
  expect(asked(element)).toHaveLength(1)
  jest.advanceTimersByTime(301)
  expect(asked(element)).toHaveLength(2)
})

test('a part that came in time is asked for once', async () => {
  const element = await part('loaded')
  element.dispatchEvent(new Event('load'))
  jest.advanceTimersByTime(600_000)
  expect(asked(element)).toHaveLength(1)
})

test('silent each time, it is asked for three times again, and then who waits for it is told', async () => {
  const element = await part('gone')
  const told = jest.fn()
  element.addEventListener('error', told)
  await jest.advanceTimersByTimeAsync(3 * 120_000 + 5000)
  expect(told).not.toHaveBeenCalled()
  await jest.advanceTimersByTimeAsync(120_000)
  expect(told).toHaveBeenCalledTimes(1)
})

test('a part that comes when it is asked for again is there for who waited, and asked for no more', async () => {
  const element = await part('late')
  const told = jest.fn()
  element.addEventListener('load', told)
  await jest.advanceTimersByTimeAsync(120_300)
  asked(element)[1]?.dispatchEvent(new Event('load'))
  expect(told).toHaveBeenCalledTimes(1)
  await jest.advanceTimersByTimeAsync(600_000)
  expect(asked(element)).toHaveLength(2)
})
