import { createHash } from 'node:crypto'
import { passwordOnWire, sha256Hex } from '@/app/_api/sha256'
import { fc } from '../_property'

const real = (text: string) => createHash('sha256').update(text).digest('hex')

test('gives what a real SHA-256 gives, for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => sha256Hex(text) === real(text)))
})

test.each([0, 55, 56, 63, 64, 119, 120, 1000])('at %d characters, around the block ends', length =>
  expect(sha256Hex('a'.repeat(length))).toBe(real('a'.repeat(length))),
)

test('one password written in two ways of Unicode is one password', () => {
  expect(passwordOnWire('Zoe\u0308-2026!')).toBe(passwordOnWire('Zo\u00eb-2026!'))
})
