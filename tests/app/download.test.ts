/** @jest-environment jsdom */
import { onOutcome } from '@/app/_api/client'
import { download } from '@/app/_api/download'
import { codes } from '@/model/codes'

// What a browser makes of a GET call's answer: a file is saved under its name, a refusal is told and never saved.

type Sent = { status?: number; type: string; disposition?: string; body: string }
let sent: Sent
const saved: string[] = []
const told: number[] = []

beforeAll(() => {
  window.fetch = async () => {
    const headers = new Map([['content-disposition', sent.disposition ?? '']])
    const content = { type: sent.type, text: async () => sent.body }
    return {
      ok: (sent.status ?? 200) < 300,
      status: sent.status ?? 200,
      headers: { get: (name: string) => headers.get(name) ?? null },
      blob: async () => content,
    } as unknown as Response
  }
  URL.createObjectURL = () => 'blob:x'
  URL.revokeObjectURL = () => undefined
  HTMLAnchorElement.prototype.click = function click() {
    saved.push(this.download)
  }
  onOutcome(event => {
    if ('error' in event) told.push(event.error.retCode)
  })
})
beforeEach(() => {
  saved.length = 0
  told.length = 0
})

const refusal = (retCode: number) => JSON.stringify({ retCode, data: {}, type: 'error' })

test.each<[string, Sent, string[], number[]]>([
  ['a file', { type: 'text/csv', disposition: 'attachment; filename="devices.csv"', body: 'a,b' }, ['devices.csv'], []],
  ['JSON that is the file', { type: 'application/json', body: '{"openapi":"3.1.0"}' }, ['openapi.json'], []],
  ['a refusal', { type: 'application/json', body: refusal(codes.noAuthority) }, [], [codes.noAuthority]],
  [
    'a refusal by status',
    { status: 403, type: 'application/json', body: refusal(codes.personOnly) },
    [],
    [codes.personOnly],
  ],
  ['no answer of the manager', { status: 502, type: 'text/html', body: '<p>' }, [], [0]],
])('%s', async (_, answer, files, refusals) => {
  sent = answer
  await download('/app/openapi.json?x=1')
  expect(saved).toEqual(files)
  expect(told).toEqual(refusals)
})
