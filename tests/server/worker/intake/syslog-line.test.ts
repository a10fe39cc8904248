import { keptCharacters, readLine } from '@/server/worker/intake/syslog-line'

const read = (text: string) => readLine(Buffer.from(text))

test.each([
  [
    'OpenWrt',
    '<30>Nov 23 10:00:00 ap-1 hostapd[812]: wl0: STA 02:aa IEEE 802.11: associated',
    { pri: 30, host: 'ap-1', tag: 'hostapd[812]', text: 'wl0: STA 02:aa IEEE 802.11: associated' },
  ],
  ['busybox', '<13>Nov  3 10:00:00 root: hello', { pri: 13, tag: 'root', text: 'hello' }],
  [
    'rsyslog',
    '<86>2026-11-23T10:00:00.123456+01:00 gw sshd[4]: Accepted publickey',
    { pri: 86, host: 'gw', tag: 'sshd[4]', text: 'Accepted publickey' },
  ],
  [
    'RFC 5424',
    '<165>1 2026-10-11T22:14:15.003Z sw.example evntslog 77 ID47 [x@1 a="b \\] \\" c"][y@1] \uFEFFPort 3 down',
    { pri: 165, host: 'sw.example', tag: 'evntslog[77]', text: '[x@1 a="b \\] \\" c"][y@1] Port 3 down' },
  ],
  ['RFC 5424 without anything', '<0>1 - - - - - -', { pri: 0, tag: '', text: '' }],
  ['an IPv6 host', '<13>Nov 23 10:00:00 fe80::1 kernel: up', { pri: 13, host: 'fe80::1', tag: 'kernel', text: 'up' }],
  ['no priority', 'link down on port 4', { tag: '', text: 'link down on port 4' }],
  ['a priority that is none', '<192>x: y', { tag: '', text: '<192>x: y' }],
])('%s', (_, line, expected) => {
  expect(read(line)).toEqual(expected)
})

test('nothing is no line', () => {
  for (const text of ['', '\n', ' \0\r\n']) expect(read(text)).toBeUndefined()
})

test('control characters are spaces, bytes that are no UTF-8 the sign for it', () => {
  expect(read('<13>a: \u001b[31mred\u0000\n')).toEqual({ pri: 13, tag: 'a', text: ' [31mred' })
  expect(readLine(Buffer.from([60, 49, 51, 62, 0xff, 0xfe, 0x80]))?.text).toBe('���')
})

test('of a line of 64 kB the beginning is kept, and how much is not is told', () => {
  const line = read(`<13>big: ${'x'.repeat(65_000)}`)
  expect(line?.text).toHaveLength(keptCharacters)
  expect(line?.cut).toBe(65_000 - keptCharacters)
})

test('garbage of any sort is read in time, and never more than may be kept', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed
  }
  const begins = ['', '<13>1 - - a - - [', '<13>1 - - a - - [a="', '<165>', '<13>Nov 23 10:00:00 ', '<13>1 ']
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(Array.from({ length: random() % 3000 }, () => random() >> 8))
    const found = readLine(Buffer.concat([Buffer.from(begins[round % begins.length] as string), bytes]))
    expect((found?.text ?? '').length).toBeLessThanOrEqual(keptCharacters)
  }
})
