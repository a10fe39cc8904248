import { agentSecret } from '@/server/drivers/linux/snmp-agent'
import { systemRenderer as linux, passwordSecret } from '@/server/drivers/linux/system'
import type { Observation } from '@/server/drivers/observation'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { darkLights } from '@/server/drivers/openwrt/leds'
import { parseShow } from '@/server/drivers/openwrt/push'
import { systemRenderer as openwrt } from '@/server/drivers/openwrt/system'
import { marked, unmarked } from '@/server/drivers/unix/secret'
import { shaCrypt } from '@/server/drivers/unix/sha-crypt'
import { startSshServer } from './ssh-server'

const all = ['root', 'systemd', 'timesyncd', 'rsyslog', 'sshd']
const render = (data: object, { capabilities = all, login = 'publickey' as Observation['login'] } = {}) =>
  linux.render({
    facts: { kind: 'ap', capabilities },
    observation: { takenAt: 0, depth: 'full', login },
    documents: [{ id: 'system', kind: 'system', name: '', data: data as Record<string, unknown> }],
    windowSeconds: 90,
  })
const codes = (...given: Parameters<typeof render>) => render(...given).warnings.map(one => one.code)
const everything = {
  ...{ timeZone: 'Asia/Tokyo', ntpServers: ['192.0.2.1', 'ntp.example.com'], passwordLogin: 'off' },
  ...{ syslog: 'tcp', syslogHost: '2001:db8::5', syslogPort: 6514 },
}

test('each part is a drop-in of its own, beside the system’s files', () => {
  const { blocks, warnings } = render(everything)
  const text = Object.fromEntries(blocks.map(block => [block.id.replace('file:', ''), block.text]))
  expect(warnings).toEqual([])
  expect(Object.keys(text)).toEqual([
    '/etc/lanward/timezone',
    '/etc/systemd/timesyncd.conf.d/lanward.conf',
    '/etc/systemd/system/multi-user.target.d/lanward-systemd-timesyncd.conf',
    '/etc/rsyslog.d/60-lanward.conf',
    '/etc/systemd/system/multi-user.target.d/lanward-rsyslog.conf',
    '/etc/ssh/sshd_config.d/00-lanward.conf',
  ])
  expect(text['/etc/lanward/timezone']).toBe('Asia/Tokyo\n')
  expect(text['/etc/systemd/timesyncd.conf.d/lanward.conf']).toContain('\nNTP=\nNTP=192.0.2.1 ntp.example.com\n')
  expect(text['/etc/rsyslog.d/60-lanward.conf']).toContain('target="2001:db8::5" port="6514" protocol="tcp"')
  expect(text['/etc/ssh/sshd_config.d/00-lanward.conf']).toContain('PasswordAuthentication no\n')
})

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE1hZGUtdXAta2V5LWZvci10ZXN0cy1vbmx5LTEyMzQ1 night'

test('keys are for the account that the manager uses, and for no other', () => {
  const files = (account?: string) =>
    linux.render({
      facts: { kind: 'ap', capabilities: all },
      observation: { takenAt: 0, depth: 'full', ...(account && { account }) },
      documents: [{ id: 'system', kind: 'system', name: '', data: { sshKeys: [key] } }],
      windowSeconds: 90,
    })
  expect(files().warnings.map(one => one.code)).toEqual(['accountUnknown'])
  const [keys, login] = files('admin').blocks
  expect(keys?.text).toContain(`\n${key}\n`)
  expect(login?.text).toMatch(/^#.*\nMatch User admin\nAuthorizedKeysFile .* \/etc\/ssh\/lanward_keys\n$/)
})

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

test('A12: the device gets the account’s hash, marked as a secret, and only where the manager comes in by its key', () => {
  const rendered = (login: Observation['login']) =>
    linux.render({
      facts: { kind: 'ap', capabilities: all },
      observation: { takenAt: 0, depth: 'full', account: 'admin', login },
      documents: [{ id: 'system', kind: 'system', name: '', data: { sshPassword: 'aB3!xyz9' } }],
      windowSeconds: 90,
    })
  expect(rendered('password').warnings).toMatchObject([{ code: 'managerByPassword', blocks: true }])
  expect(rendered('password').blocks).toEqual([])
  const [block, ...more] = rendered('publickey').blocks
  expect(more).toEqual([])
  expect(block?.text).not.toContain('aB3!xyz9')
  const [, salt = '', hash = ''] = /\nadmin:(?:.)\$6\$([0-9a-f]{16})\$(\S{86}).\n$/u.exec(block?.text ?? '') ?? []
  expect(shaCrypt('aB3!xyz9', salt)).toBe(`$6$${salt}$${hash}`)
  const read = unmarked(block?.text ?? '')
  expect(read.replace(passwordSecret, (_all, before: string, value: string) => before + marked(value))).toBe(
    block?.text,
  )
})

test('P9: the agent’s secrets are marked as they are when they are read back', () => {
  const more = { snmpUser: 'monitor1', snmpAuthKey: 'a#b$c&d*', snmpPrivKey: 'SHA-AES-' }
  const given = { snmp: 'on', snmpCommunity: '!@#$&*+=', ...more }
  const { blocks } = render(given, { capabilities: [...all, 'snmpd'] })
  const text = blocks[0]?.text ?? ''
  expect(unmarked(text)).toContain('rocommunity "!@#$&*+="\nrocommunity6 "!@#$&*+="\n')
  expect(unmarked(text)).toContain('createUser "monitor1" SHA "a#b$c&d*" AES "SHA-AES-"\nrouser "monitor1" authPriv\n')
  expect(unmarked(text).replace(agentSecret, (_all, before: string, value: string) => before + marked(value))).toBe(
    text,
  )
  expect(codes(given)).toEqual(['needs.snmpd'])
})

test('what is not set is left as the device has it', () => {
  expect(render({})).toEqual({ blocks: [], warnings: [] })
  expect(render({ ntpServers: [], syslog: 'keep', passwordLogin: 'keep' }).blocks).toEqual([])
  expect(render({ passwordLogin: 'on' }).blocks).toHaveLength(1)
})

test('what a device lacks is named and stops nothing else', () => {
  const { blocks, warnings } = render(everything, { capabilities: ['root', 'systemd'] })
  expect(blocks.map(block => block.id)).toEqual(['file:/etc/lanward/timezone'])
  expect(warnings).toEqual(['timesyncd', 'rsyslog', 'sshd'].map(one => ({ code: `needs.${one}`, kind: 'system' })))
  expect(codes(everything, { capabilities: ['systemd'] })).toEqual(['needs.root'])
})

test.each([
  ['publickey', []],
  ['password', ['managerByPassword']],
  ['keyboard-interactive', ['managerByPassword']],
  ['none', ['managerByPassword']],
  [undefined, ['managerByPassword']],
] as const)('a manager that came in by %s is not locked out', (login, expected) => {
  const given = { passwordLogin: 'off' }
  const observation = { takenAt: 0, depth: 'full' as const, ...(login && { login }) }
  const rendered = linux.render({
    facts: { kind: 'ap', capabilities: all },
    observation,
    documents: [{ id: 'system', kind: 'system', name: '', data: given }],
    windowSeconds: 90,
  })
  expect(rendered.warnings.map(one => one.code)).toEqual(expected)
  expect(rendered.blocks).toHaveLength(expected.length ? 0 : 1)
})

test('OpenWrt’s own sections are left, and each is said', () => {
  const documents = [
    {
      id: 'system',
      kind: 'system',
      name: '',
      data: { ...everything, hostname: 'lobby', sshKeys: [key], sshPassword: 'aB3!xyz9', snmp: 'off' },
    },
  ]
  const { blocks, warnings } = openwrt.render({ facts: { kind: 'ap', capabilities: [] }, documents, windowSeconds: 90 })
  expect(blocks).toEqual([])
  expect(warnings.map(one => one.code)).toEqual(
    ['hostname', 'timeZone', 'ntpServers', 'syslog', 'passwordLogin', 'sshPassword', 'sshKeys', 'snmp'].map(
      part => `systemOption.${part}`,
    ),
  )
})

test('lights go off by a script of ours that starts with the device, or by sections after the system’s own', () => {
  const lit = [...all, 'leds']
  expect(render({ leds: 'off' }, { capabilities: lit }).blocks.map(one => one.id)).toEqual([
    'file:/etc/lanward/leds.sh',
    'file:/etc/systemd/system/lanward-leds.service',
    'file:/etc/systemd/system/multi-user.target.d/lanward-lanward-leds.conf',
  ])
  expect([codes({ leds: 'off' }), codes({ leds: 'keep' })]).toEqual([['needs.leds'], []])
  const openwrtWith = (leds: string[] | undefined, set: object) =>
    openwrt.render({
      facts: { kind: 'ap', capabilities: [] },
      observation: { takenAt: 0, depth: 'full', ...(leds && { leds }) },
      documents: [{ id: 'system', kind: 'system', name: '', data: { ...set } }],
      windowSeconds: 90,
    })
  const made = openwrtWith(['white:run', 'blue:wan-1'], { leds: 'off' })
  expect(made.warnings).toEqual([])
  expect(made.blocks.map(one => one.text)).toEqual(
    ['blue:wan-1', 'white:run'].map(name => {
      const section = `system.lw_led_${name.replace(/[:-]/g, '_')}`
      const options = { name, sysfs: name, trigger: 'none', default: '0' }
      const lines = Object.entries(options).map(([option, value]) => `${section}.${option}='${value}'`)
      return [`${section}=led`, ...lines].join('\n')
    }),
  )
  expect(parseShow(made.blocks.map(one => one.text).join('\n')).blocks.map(one => one.text)).toEqual(
    made.blocks.map(one => one.text),
  )
  expect(openwrtWith([], { leds: 'off' }).warnings.map(one => one.code)).toEqual(['needs.leds'])
  expect(openwrtWith(['white:run'], {})).toEqual({ blocks: [], warnings: [] })
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
  const problems = await driver.verify(session, { blocks })
  driver.close(session)
  await server.close()
  expect(problems.map(one => one.code)).toEqual(expected)
  expect(asked.at(-1)).toMatch(/^'?cat'? '?\/sys\/class\/leds\/blue:run\/brightness'?$/)
})
