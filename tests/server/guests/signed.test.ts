import { createHash } from 'node:crypto'
import { readRedirect, signature } from '@/server/guests/portal/signed'

const key = '00112233445566778899aabbccddeeff'
const guest = { lan: '12', mac: '02:00:00:00:00:01', ip: '10.66.0.101', at: 1_700_000_000 }
const now = guest.at * 1000
const queryOf = (changed: Record<string, string> = {}) =>
  new URLSearchParams({
    ...{
      mac: guest.mac,
      ip: guest.ip,
      at: String(guest.at),
      sig: signature(key, guest),
      url: 'http://example.org/a?b',
    },
    ...changed,
  })
const read = (changed: Record<string, string> = {}, at = now, lan = guest.lan, by = key) =>
  readRedirect(by, lan, queryOf(changed), at)

test('a redirect is signed as a gateway signs it: twice by sha256sum over key and text', () => {
  const sum = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(signature(key, guest)).toBe(sum(`${key}${sum(`${key}12 02:00:00:00:00:01 10.66.0.101 1700000000`)}`))
  expect(signature(key, guest)).toBe('ece2aa5257cc792e91c5b63895e5cbb45461e398bfad7cd01264b4ea8b493d3e')
})

test('a gateway’s redirect is taken with all it says', () => {
  expect(read()).toEqual({ ...guest, url: 'http://example.org/a?b' })
})

test.each([
  ['another guest’s MAC address', { mac: '02:00:00:00:00:02' }],
  ['another address', { ip: '10.66.0.102' }],
  ['another moment', { at: '1700000001' }],
  ['no signature', { sig: '' }],
  ['a signature of another length', { sig: 'ab' }],
  ['a signature of 64 zeros', { sig: '0'.repeat(64) }],
  ['a MAC address in capitals', { mac: '02:00:00:00:00:0A' }],
  ['what is no MAC address', { mac: '<script>' }],
  ['what is no address', { ip: '10.66.0.101 1700000000' }],
  ['a moment that is no number', { at: '1e9' }],
])('forged: %s is refused', (_, changed) => {
  expect(read(changed)).toEqual({ refused: 'forged' })
})

test('forged: what was signed for another network of the LAN, or by another key, is refused', () => {
  expect(read({}, now, '13')).toEqual({ refused: 'forged' })
  expect(read({}, now, '12', `${key}0`)).toEqual({ refused: 'forged' })
})

test('forged: text cannot move from one part of the redirect to the next', () => {
  const sig = signature(key, { ...guest, lan: '12 02:00:00:00:00:01', mac: '10.66.0.101', ip: '1', at: 7 })
  expect(readRedirect(key, '12', new URLSearchParams({ mac: guest.mac, ip: guest.ip, at: '7', sig }), now)).toEqual({
    refused: 'forged',
  })
})

test('replayed: it is good for an hour, and for ten minutes before by the manager’s clock', () => {
  expect(read({}, now + 3_600_000)).toMatchObject(guest)
  expect(read({}, now + 3_601_000)).toEqual({ refused: 'old' })
  expect(read({}, now - 600_000)).toMatchObject(guest)
  expect(read({}, now - 601_000)).toEqual({ refused: 'old' })
})
