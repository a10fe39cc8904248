import { randomBytes } from 'node:crypto'
import { secretsOf } from '@/server/kernel/secrets'

const secrets = secretsOf(randomBytes(32))
const place = 'accounts:1:mfa'
const sealed = secrets.seal('correct horse', place)
const [version = '', iv = '', tag = '', body = ''] = sealed.split('.')
const shorter = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url')
const other = Buffer.from(body, 'base64url').map(byte => byte ^ 1)

test('a sealed value opens at its own place', () => {
  expect(secrets.open(sealed, place)).toBe('correct horse')
})

test.each([
  ['at another place', sealed, 'accounts:2:mfa'],
  ['with a tag that is quick to guess', [version, iv, shorter, body].join('.'), place],
  ['with another body', [version, iv, tag, Buffer.from(other).toString('base64url')].join('.'), place],
  ['without a tag', [version, iv, '', body].join('.'), place],
  ['of another version', ['v0', iv, tag, body].join('.'), place],
])('it does not open %s', (_, text, where) => {
  expect(() => secrets.open(text, where)).toThrow()
})
