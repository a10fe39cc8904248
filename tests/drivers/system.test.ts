import { agentSecret } from '@/server/drivers/linux/system/snmp-agent'
import { passwordSecret } from '@/server/drivers/linux/system/system'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { darkLights } from '@/server/drivers/openwrt/ports/leds'
import { marked, unmarked } from '@/server/drivers/unix/secret'
import { shaCrypt } from '@/server/drivers/unix/sha-crypt'
import { made } from './_golden'
import { startSshServer } from './ssh-server'

// What is made of system settings is in golden/*/system; here is what follows from it.

// From `openssl passwd -6`.
test.each([
  ['aB3!xyz9', 'saltstring', '0F4VVgmWLbDWI58tpmPS1u1/jD/AHwJmtJKBR1obU9WU8VwtuEW5IGhERgD5Zf7UPcqcN4raZMwaFujnJq5Lb0'],
  [
    'größe',
    '0123456789abcdef',
    'TS7g2vc3E5T4ZnBvXvNjWrucnLAemIZSLDmQ9BWIJaBsKCHZxW3s/fDMbtULM6ipaSzaoCJsu00OMwRjSpD.c1',
  ],
  ['x'.repeat(200), 'abc', '9bIqFS3gcEah7ONB5aYjFczb7Fkaut01.W86FsbxH3PnKOS.T6QNYs7qzjm/MziNMzBBXqOaoSNUc4PtFnUj0.'],
])('the hash of %j is the one that a libc makes', (word, salt, hash) =>
  expect(shaCrypt(word, salt)).toBe(`$6$${salt}$${hash}`),
)

test('A12: the password goes to the device as its hash alone, marked as it is when it is read back', () => {
  const [{ text = '' } = {}] = made('linux/system/04-password').blocks
  expect(text).not.toContain('aB3!xyz9')
  const [, salt = '', hash = ''] = /\nadmin:(?:.)\$6\$([0-9a-f]{16})\$(\S{86}).\n$/u.exec(text) ?? []
  expect(shaCrypt('aB3!xyz9', salt)).toBe(`$6$${salt}$${hash}`)
  expect(unmarked(text).replace(passwordSecret, (_all, before: string, value: string) => before + marked(value))).toBe(
    text,
  )
})

test('P9: the agent’s secrets are marked as they are when they are read back', () => {
  const [{ text = '' } = {}] = made('linux/system/06-snmp').blocks
  expect(unmarked(text)).toContain('createUser "monitor1" SHA "a#b$c&d*" AES "SHA-AES-"\n')
  expect(unmarked(text).replace(agentSecret, (_all, before: string, value: string) => before + marked(value))).toBe(
    text,
  )
})

test.each([
  ['0\n', []],
  ['255\n', ['ledsDown']],
])('OpenWrt: a light whose brightness is %j', async (brightness, expected) => {
  const asked: string[] = []
  const server = await startSshServer({
    auth: ({ method }) => method === 'none',
    exec(line) {
      asked.push(line)
      return { stdout: line === 'ubus list' ? 'system\n' : line.includes('brightness') ? brightness : '{}' }
    },
  })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  const blocks = darkLights(['blue:run'], { kind: 'system', document: 'system' })
  const problems = await driver.selfCheck(session, { blocks })
  driver.close(session)
  await server.close()
  expect(problems.map(one => one.code)).toEqual(expected)
  expect(asked.at(-1)).toMatch(/^'?cat'? '?\/sys\/class\/leds\/blue:run\/brightness'?$/)
})
