import { inspect } from 'node:util'
import { asEntry, guardLog } from '@/server/kernel/log-lines'
import { keepRecentLines } from '@/server/kernel/recent-lines'

test.each([
  ['poll of device 3: refused\n', 'poll of device 3: refused\n'],
  ['\nLanward is ready. Open one of:\n', '\nLanward is ready. Open one of:\n'],
  ['device AP\nrequest 1: all is well\n', 'device AP\n    request 1: all is well\n'],
  ['AP\r\nroot signed in\n', 'AP\\u000d\n    root signed in\n'],
  ['AP\rroot signed in\n', 'AP\\u000droot signed in\n'],
  ['\x1b[2J\x1b]0;title\x07AP\n', '\\u001b[2J\\u001b]0;title\\u0007AP\n'],
  ['a\x00b\x7fc\x9bd\n', 'a\\u0000b\\u007fc\\u009bd\n'],
  ['a\u2028b\u2029c\u0085d\n', 'a\\u2028b\\u2029c\\u0085d\n'],
  ['\u202egnp.exe\u2066\n', '\\u202egnp.exe\\u2066\n'],
  ['Größe 中文 🛜\tfine\n', 'Größe 中文 🛜\tfine\n'],
])('%j is written as %j', (text, written) => {
  expect(asEntry(text)).toBe(written)
})

test('a name that comes from a device begins no line of the log, whatever it is told in', () => {
  const written: string[] = []
  const stream = { write: (chunk: string | Uint8Array) => written.push(String(chunk)) > 0 }
  const recent = keepRecentLines([stream])
  guardLog([stream])
  const name = 'switch\n2026-11-22 request 1: root signed in\n\nbackup: done'
  stream.write(`poll of device 3: ${inspect(new Error(`${name} does not answer`))}\n`)
  stream.write(Buffer.from(`adoption: ${inspect({ name, cause: new Error(name) })}\n`))
  const starts = written
    .join('')
    .split('\n')
    .filter(line => /^\S/.test(line))
  expect(starts.map(line => line.split(':')[0])).toEqual(['poll of device 3', 'adoption'])
  const told = recent.all().map(line => line.slice(line.indexOf(' ') + 1))
  expect(told.filter(line => /^\S/.test(line))).toHaveLength(2)
})
