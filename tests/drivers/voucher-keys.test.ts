// Which vouchers are keys on an access point, and who is in by them: its own awk, as it is pushed.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { made } from './_golden'

const text = made('linux/private-keys/05-vouchers').blocks.find(
  one => one.id === 'file:/etc/lanward/voucher-keys.sh',
)?.text
const judge = text?.split(`-v fresh="$fresh" '`)[1]?.split("' used list stations")[0] ?? ''
const all = text?.split(`-v net="\${net%.psk}" '`)[1]?.split("'; done")[0]?.split("'\n")[0] ?? ''

const folder = mkdtempSync(join(tmpdir(), 'keys-'))
afterAll(() => rmSync(folder, { recursive: true }))
const now = 1_000_000
const psk = 'ab'.repeat(32)
const any = '00:00:00:00:00:00'

type Key = Partial<Record<'voucher' | 'seconds' | 'end' | 'most' | 'down' | 'up' | 'only' | 'ssid', string | number>>
const line = (more: Key = {}) => {
  const one = { ssid: 's', voucher: 7, seconds: 3600, end: now + 9000, most: 1, down: '-', up: '-', only: '-', ...more }
  return `v ${one.ssid} ${one.voucher} ${psk} ${one.seconds} ${one.end} ${one.most} ${one.down} ${one.up} ${one.only}\n`
}
const station = (mac: string, age: number, voucher = 7, ssid = 's') => `s wlan0 ${ssid} ${mac} ${voucher} ${age}\n`

function judged(list: string, stations = '', used = '', fresh = ''): string[] {
  const files = { used, list: `lanward 1 x\n${list}`, stations }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const words = ['-v', `now=${now}`, '-v', `fresh=${fresh}`, judge, ...Object.keys(files)]
  return execFileSync('/usr/bin/awk', words, { cwd: folder }).toString().split('\n').filter(Boolean)
}
const key = (mac = any, voucher = 7) => `key s keyid=v${voucher} ${mac} ${psk}`

test.each([
  ['a voucher that nobody used is a key for any device', [line()], [key()]],
  ['one that is over is none', [line({ end: now })], []],
  ['time runs on from its first use here', [line(), '', `u ${now - 3599} 7 aa\n`], [key()]],
  ['until it is over', [line(), '', `u ${now - 3600} 7 aa\n`], []],
  ['whose first use the manager knows ends when it says', [line({ seconds: '-', end: now + 1 })], [key()]],
  ['the earliest use counts', [line(), '', `u ${now - 3600} 7 aa\nu ${now - 5} 7 bb\n`], []],
])('%s', (_, [list = '', stations, used], keys) => expect(judged(list, stations, used)).toEqual(keys))

test('a first use is written down; a full voucher is a key for who is in alone', () => {
  expect(judged(line(), station('aa', 5))).toEqual(['present s aa 7 5', `used u ${now} 7 aa`, key('aa')])
  expect(judged(line(), station('aa', 5), `u ${now - 5} 7 aa\n`)).toEqual(['present s aa 7 5', key('aa')])
  expect(judged(line({ most: 2 }), station('aa', 5), `u ${now - 5} 7 aa\n`)).toEqual(['present s aa 7 5', key()])
  expect(judged(line({ most: 0 }), station('aa', 5), `u 1 7 aa\n`.replace('1', `${now}`))).toEqual([
    'present s aa 7 5',
    key(),
  ])
})

test('who came first keeps the place, whoever is listed first; on two radios a device counts once', () => {
  const used = `u ${now - 9} 7 aa\n`
  expect(judged(line(), station('bb', 3) + station('aa', 9), used)).toEqual([
    'present s aa 7 9',
    'kick wlan0 bb',
    key('aa'),
  ])
  expect(judged(line({ most: 2 }), station('aa', 9) + station('aa', 2), used).filter(one => /^key/.test(one))).toEqual([
    key(),
  ])
})

test('who has no voucher any more is put out; nobody else is', () => {
  expect(judged(line({ voucher: 8 }), station('aa', 9) + station('bb', 9, 8), `u ${now} 8 bb\n`)).toEqual([
    'kick wlan0 aa',
    'present s bb 8 9',
    key('bb', 8),
  ])
  expect(judged(line({ ssid: 't' }), station('aa', 9))).toContain('kick wlan0 aa')
})

test('where the manager says who is in elsewhere, those alone are, while it is there', () => {
  const list = line({ most: 2, only: 'cc,dd' })
  const used = `u ${now} 7 aa\n`
  expect(judged(list, station('aa', 9), used, '1')).toEqual(['kick wlan0 aa', key('cc'), key('dd')])
  expect(judged(list, station('aa', 9), used, '')).toEqual(['present s aa 7 9', key()])
})

test('rates are of each device', () => {
  expect(judged(line({ most: 0, down: 8000, up: 512 }), station('aa', 9), `u ${now} 7 aa\n`)).toEqual([
    'present s aa 7 9',
    'rate down aa 8000',
    'rate up aa 512',
    key(),
  ])
})

test('stations are read as hostapd tells them; one with a private key of the profiles is left alone', () => {
  const said = `02:00:00:00:01:00\nflags=[AUTH]\nkeyid=v12\nconnected_time=40\n02:00:00:00:02:00\nkeyid=0a1b2c\nconnected_time=9\n02:00:00:00:03:00\nconnected_time=7\n02:00:00:00:04:00\nconnected_time=3\nkeyid=v9\n`
  const lines = execFileSync('/usr/bin/awk', ['-v', 'bss=wlan0', '-v', 'net=s', all], { input: said }).toString()
  expect(lines).toBe('s wlan0 s 02:00:00:00:01:00 12 40\ns wlan0 s 02:00:00:00:04:00 9 3\n')
})
