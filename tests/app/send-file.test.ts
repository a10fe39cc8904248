/** @jest-environment jsdom */
// What a page makes of the answer to a file that it sent.
import { onSuccess } from '@/app/_api/client'
import { sendFile } from '@/app/_api/send-file'

let answer: { retCode: number; topics: string | null }
const told: unknown[] = []
onSuccess(async (path, topics) => void told.push([path, topics]))

beforeAll(() => {
  globalThis.XMLHttpRequest = class {
    upload = {}
    status = 200
    response: unknown
    onload = () => undefined
    open() {}
    setRequestHeader() {}
    getResponseHeader = (name: string) => (name === 'x-lanward-topics' ? answer.topics : null)
    send() {
      this.response = { retCode: answer.retCode, data: {} }
      this.onload()
    }
  } as unknown as typeof XMLHttpRequest
})
beforeEach(() => {
  told.length = 0
})

const send = () => sendFile('feedback/attach', { name: 'port.txt' }, new File(['eth0'], 'port.txt'), () => undefined)

test('what the manager says that it is news of is asked anew', async () => {
  answer = { retCode: 0, topics: 'feedback changelog' }
  await send()
  expect(told).toEqual([['feedback/attach', ['feedback', 'changelog']]])
})

test('nothing is, where it says nothing, or refuses', async () => {
  answer = { retCode: 0, topics: null }
  await send()
  answer = { retCode: 10000, topics: null }
  await expect(send()).rejects.toMatchObject({ kind: 'refused' })
  expect(told).toEqual([])
})
