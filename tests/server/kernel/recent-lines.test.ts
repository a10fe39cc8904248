import { keepRecentLines, withoutSecrets } from '@/server/kernel/recent-lines'

const at = '2026-01-02T03:04:05.678Z'

test.each([
  ['Setup code: ABCD-2345', 'Setup code: (hidden)'],
  ['login {"password":"Tr0ub4dor"} refused', 'login {"password":(hidden) refused'],
  ['community=public timed out', 'community=(hidden) timed out'],
  ['10.77.0.3 (02:00:5e:10:00:03): no answer', '(ip) ((mac)): no answer'],
  ['fe80::1ff:fe23:4567:890a and 2001:db8:0:0:0:0:0:1', '(ip) and (ip)'],
  ['mail to ops@example.test failed', 'mail to (mail) failed'],
  ['host key SHA256:abc/def+12= changed', 'host key (key) changed'],
  ['Lobby AP is offline', '(name) is offline'],
  ['at run (server/worker/poller.ts:12:34)', 'at run (server/worker/poller.ts:12:34)'],
])('%j is told as %j', (line, told) => {
  expect(withoutSecrets(`${at} ${line}`, ['Lobby AP', 'is'])).toBe(`${at} ${told}`)
})

test('keeps the last 400 lines, each of 500 characters at most, and lets them through', () => {
  const through: string[] = []
  const stream = { write: (chunk: string | Uint8Array) => through.push(String(chunk)) > 0 }
  const lines = keepRecentLines([stream])
  stream.write('half ')
  stream.write('a line\n')
  expect(lines.all().map(line => line.split(' ').slice(1).join(' '))).toEqual(['half a line'])
  for (let n = 0; n < 450; n++) stream.write(`${n} ${'x'.repeat(600)}\n`)
  expect(lines.all()).toHaveLength(400)
  expect(lines.all().at(-1)).toContain(' 449 ')
  expect(Math.max(...lines.all().map(line => line.length))).toBeLessThan(530)
  expect(through).toHaveLength(452)
})
