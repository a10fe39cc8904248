/** @jest-environment jsdom */
import { act, render, renderHook, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { callApi, whenRenewed } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'

/** What the manager holds and answers; no stream tells of anything here. */
let names = ['a', 'b']
let refuse = false
const asked: string[] = []
const answers: Record<string, () => unknown> = {
  'webhooks/list': () => ({ result: names.map(name => ({ name })), total: names.length }),
  'webhooks/delete': () => {
    names = names.slice(1)
    return {}
  },
}

beforeEach(() => {
  names = ['a', 'b']
  refuse = false
  asked.length = 0
  globalThis.fetch = ((address: string) => {
    const path = address.replace('/app/', '')
    asked.push(path)
    const body = refuse ? { retCode: 10000, data: {} } : { retCode: 0, data: answers[path]?.() ?? {} }
    const headers = new Headers(path === 'webhooks/delete' && !refuse ? { 'x-lanward-topics': 'keys webhooks' } : {})
    return Promise.resolve({ status: 200, headers, json: () => Promise.resolve(body) })
  }) as unknown as typeof fetch
})

const does = (work: () => Promise<unknown>) =>
  act(async () => {
    await work()
    await whenRenewed()
  })
const list = (page: number) => renderHook(() => useCall('webhooks/list', { page }))
const shown = (hook: ReturnType<typeof list>) => hook.result.current.data?.result.map(one => one.name)

test('what was done on the page shows on it, without a stream, and can be waited for', async () => {
  const hook = list(1)
  await waitFor(() => expect(shown(hook)).toEqual(['a', 'b']))
  await does(() => callApi('webhooks/delete', { id: 1 }))
  expect(shown(hook)).toEqual(['b'])
  expect(asked).toEqual(['webhooks/list', 'webhooks/delete', 'webhooks/list'])
  hook.unmount()
})

test('a list that is shown again after an act does not begin with what it showed before', async () => {
  const before = list(2)
  await waitFor(() => expect(shown(before)).toEqual(['a', 'b']))
  before.unmount()
  await does(() => callApi('webhooks/delete', { id: 1 }))
  const after = list(2)
  expect(shown(after)).toBeUndefined()
  await waitFor(() => expect(shown(after)).toEqual(['b']))
  after.unmount()
})

test('asking, and what was refused, renew nothing', async () => {
  const hook = list(3)
  await waitFor(() => expect(shown(hook)).toEqual(['a', 'b']))
  await does(() => callApi('webhooks/list', {}))
  refuse = true
  await does(() => callApi('webhooks/delete', { id: 1 }).catch(() => undefined))
  expect(asked).toEqual(['webhooks/list', 'webhooks/list', 'webhooks/delete'])
  hook.unmount()
})

test('what had no answer is asked again by itself; what was refused is not', async () => {
  const answered = globalThis.fetch
  globalThis.fetch = (address, init) => {
    globalThis.fetch = answered
    asked.push(String(address).replace('/app/', ''))
    return address === '/app/health' ? answered(address, init) : Promise.reject(new TypeError('Failed to fetch'))
  }
  const hook = renderHook(() => useCall('webhooks/list', { page: 4 }, { swr: { errorRetryInterval: 10 } }))
  await waitFor(() => expect(shown(hook)).toEqual(['a', 'b']))
  hook.unmount()
  refuse = true
  const refused = renderHook(() => useCall('webhooks/list', { page: 5 }, { swr: { errorRetryInterval: 10 } }))
  await waitFor(() => expect(refused.result.current.error?.kind).toBe('refused'))
  const times = asked.length
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(asked).toHaveLength(times)
  refused.unmount()
})

let begins = () => {}
function Part({ call }: { call: ReturnType<typeof useCall<'webhooks/list'>> }) {
  const [begun, begin] = useState(false)
  begins = () => begin(true)
  return begun ? <p>{call.data ? `${call.data.total} webhooks` : 'Loading'}</p> : null
}
const Page = () => <Part call={useCall('webhooks/list', { page: 6 })} />

test('an answer that is handed to a part that begins after it arrived is shown there', async () => {
  const page = render(<Page />)
  await act(() => new Promise(resolve => setTimeout(resolve, 50)))
  act(() => begins())
  expect(await screen.findByText('2 webhooks')).toBeTruthy()
  page.unmount()
})
