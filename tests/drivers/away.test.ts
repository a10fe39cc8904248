// What a gateway decides by itself while the manager does not answer: its own shell and awk, as they are pushed.
import { execFileSync } from 'node:child_process'
import { codeAlphabet, codeOf } from '@/model/guests/voucher-code'
import { listHash, slowHash } from '@/server/guests/vouchers/away-list'
import { made } from './_golden'

const answer = (() => {
  const text = made('linux/gate/01-guests').blocks.find(one => one.id === 'file:/etc/lanward-portal/answer.sh')?.text
  if (text === undefined) throw new Error('no answer')
  return text
})()
const between = (from: string) => answer.split(from)[1]?.split("'")[0] ?? ''
const judge = between(`-v made="$made" -v mac="$mac" '`)
const check = between(`printf '%s\\n' "$code" | awk '`)

const made1 = 1_000_000
const decide = (input: string, { now = made1 + 1000, mac = 'aa' } = {}) =>
  execFileSync('/usr/bin/awk', ['-v', `now=${now}`, '-v', `made=${made1}`, '-v', `mac=${mac}`, judge], { input })
    .toString()
    .trim()

const far = 2_000_000_000
const line = (
  more: Partial<Record<'left' | 'runs' | 'bytes' | 'per' | 'most' | 'until' | 'devices', unknown>> = {},
) => {
  const all = { left: 3600, runs: 0, bytes: '-', per: 'v', most: 1, until: far, devices: '-', ...more }
  return `v hash 7 ${all.left} ${all.runs} ${all.bytes} ${all.per} ${all.most} 512 - ${all.until} ${all.devices}\n`
}
const use = (at: number, mac: string, quota = 'g1_1', bytes: unknown = '-') =>
  `u ${made1 + at} ${mac} 7 lan ${quota} 3600 ${bytes} 10.0.0.1\n`

test.each([
  ['an unused voucher opens for all that it has', line({ bytes: 900 }), 'yes 7 3600 900 512 -'],
  ['one that is not listed does not', '', 'no unavailable'],
  ['an expired one does not', line({ until: made1 + 999 }), 'no unavailable'],
  ['no longer than it is valid', line({ until: made1 + 1100 }), 'yes 7 100 - 512 -'],
  ['one that is used up does not', line({ left: 0 }), 'no usedUp'],
  ['time runs on from the first use here', line() + use(400, 'aa') + use(900, 'aa'), 'yes 7 3000 - 512 -'],
  [
    'time of who was in when the list was made runs on from then',
    line({ runs: 1, devices: 'aa/0/0' }),
    'yes 7 2600 - 512 -',
  ],
  ['until it is over', line({ left: 900 }) + use(50, 'aa'), 'no usedUp'],
  ['a place that another device took is taken', line() + use(900, 'bb'), 'no devicesFull'],
  ['also one that the manager gave', line({ devices: 'bb/0/0' }), 'no devicesFull'],
  ['any number of devices where none is set', line({ most: 0, devices: 'bb/0/0' }), 'yes 7 3600 - 512 -'],
  [
    'bytes that its quota counts are used',
    `${line({ bytes: 900 })}${use(900, 'aa', 'g1_1', 900)}q g1_1 300\n`,
    'yes 7 3500 600 512 -',
  ],
  ['what is not known any more counts whole', line({ bytes: 900 }) + use(900, 'aa', 'g1_1', 900), 'no usedUp'],
  [
    'but for what was counted at its end',
    `${line({ bytes: 900 })}${use(900, 'aa', 'g1_1', 900)}b ${made1 + 900} aa 200\n`,
    'yes 7 3500 700 512 -',
  ],
  [
    'bytes since the manager looked last',
    `${line({ bytes: 900, devices: 'aa/0/50' })}+ lan20 aa 1 g5_1 9 9 - - 9\nq g5_1 250\n`,
    'yes 7 3600 700 512 -',
  ],
  [
    'bytes of each device are its own',
    line({ bytes: 900, per: 'd', most: 2, devices: 'aa/300/0,bb/900/0' }),
    'yes 7 3600 600 512 -',
  ],
  ['more than awk counts in whole numbers stays exact', line({ bytes: 2 ** 40 }), `yes 7 3600 ${2 ** 40} 512 -`],
])('%s', (_title, input, verdict) => {
  expect(decide(input)).toBe(verdict)
})

test('slips in a code are found as the manager finds them', () => {
  const isCode = (code: string) => {
    try {
      execFileSync('/usr/bin/awk', [check], { input: `${code}\n` })
      return true
    } catch {
      return false
    }
  }
  const code = codeOf([3, 14, 15, 9, 2, 6, 5, 22])
  expect(isCode(code)).toBe(true)
  for (let at = 0; at < code.length; at++) {
    const next = codeAlphabet[(codeAlphabet.indexOf(code[at] ?? '') + 1) % codeAlphabet.length]
    expect(isCode(code.slice(0, at) + next + code.slice(at + 1))).toBe(false)
  }
})

test('a code’s hash is the one of the list', async () => {
  const lines = answer.split('\n').filter(text => /^ *(hash\(\)|slow=|entry=)/.test(text))
  const given = { network_key: 'aa', own_key: 'bb', code: '222222222' }
  const said = execFileSync('/bin/sh', ['-c', `${lines.join('\n')}\nprintf %s "$entry"`], {
    env: { ...process.env, ...given },
  })
  expect(String(said)).toBe(listHash('bb', await slowHash('aa', '222222222')))
})
