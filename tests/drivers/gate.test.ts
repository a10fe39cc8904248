// The guests' gate: what leads them to the portal, and what is asked of a device's kernel.
import { execFileSync } from 'node:child_process'
import { linuxDriver } from '@/server/drivers/linux/driver'
import type { LinuxSession } from '@/server/drivers/linux/observe/observe'
import { made } from './_golden'

const { guests } = linuxDriver.actions
if (!guests) throw new Error('no gate')

const textOf = (path: string) => {
  const text = made('linux/gate/01-guests').blocks.find(one => one.id === `file:${path}`)?.text
  if (text === undefined) throw new Error(`no ${path}`)
  return text
}

test('the redirector signs as the portal checks', () => {
  const lines = textOf('/etc/lanward-portal/answer.sh')
    .split('\n')
    .filter(line => /^(hash\(\)|sig=)/.test(line))
  const given = {
    key: '00112233445566778899aabbccddeeff',
    ...{ lan: '12', mac: '02:00:00:00:00:01', ip: '10.66.0.101', at: '1700000000' },
  }
  const signed = execFileSync('/bin/sh', ['-c', `${lines.join('\n')}\nprintf %s "$sig"`], {
    env: { ...process.env, ...given },
  })
  expect(String(signed)).toBe('ece2aa5257cc792e91c5b63895e5cbb45461e398bfad7cd01264b4ea8b493d3e')
})

/** A device that says this of its gate, and takes every script that it is sent. */
function device(parts: Record<string, string>) {
  const sent: string[] = []
  const exec = async (line: string, { input = '' }: { input?: string } = {}) => {
    const mark = /'(lanward-[0-9a-f]{32})'/.exec(line)?.[1]
    if (!mark) sent.push(input)
    const text = Object.entries({ ...parts, end: '' }).map(([name, part]) => `\n${mark} ${name}\n${part}`)
    return { code: 0, stdout: mark ? text.join('') : '', stderr: '' }
  }
  return { session: { ssh: { exec }, become: '' } as unknown as LinuxSession, sent }
}

const nft = (...objects: object[]) => JSON.stringify({ nftables: [{ metainfo: {} }, ...objects] })
const lans = 'lan lan20 id-20 300 class limit\noutside eth0\n'
const one = { concat: ['lan20', '02:00:00:00:00:01'] }
const mark = 0x4c57_2345
const oneIn = {
  lans,
  mark_of: nft({ map: { elem: [[one, mark]] } }),
  until: nft({ set: { elem: [{ elem: { val: mark, timeout: 3600, expires: 3000 } }] } }),
  awake: nft({ set: { elem: [{ elem: { val: mark, timeout: 300, expires: 250 } }] } }),
  use_of: nft({ map: { elem: [[mark, 'g2345_7']] } }),
  found: `elements = { "lan20" . 02:00:00:00:00:01 : 0x4c572345 }\nelements = { 0x4c572345 : "g2345_7" }\n`,
  quotas: nft({ quota: { name: 'g2345_7', used: 4711 } }),
  neighbours: '192.168.20.101 dev lan20 lladdr 02:00:00:00:00:01 REACHABLE\n',
}
const admission = { mac: '02:00:00:00:00:01', lan: 'id-20', seconds: 60, idleSeconds: 300 }

test('who is in is told; who is out by time or by silence is not', async () => {
  expect(await guests.list(device(oneIn).session)).toEqual([
    {
      ...{ mac: '02:00:00:00:00:01', secondsLeft: 3000, bytes: 4711, idleSeconds: 50 },
      addresses: ['192.168.20.101'],
    },
  ])
  const over = device({ ...oneIn, until: nft({ set: {} }) })
  expect(await guests.list(over.session)).toEqual([])
  expect(over.sent.join()).toContain('delete quota inet lanward_gate g2345_7')
  expect(await guests.list(device({ ...oneIn, awake: nft({ set: {} }) }).session)).toEqual([])
})

test.each([
  ['a limit', 10_000, { bytesLeft: 5289 }],
  ['one that is used up', 4000, { bytesLeft: 0 }],
  ['none', 2 ** 50, {}],
])('of %s it is told what is left of it', async (_, bytes, left) => {
  const quotas = nft({ quota: { name: 'g2345_7', used: 4711, bytes } })
  const [told] = await guests.list(device({ ...oneIn, quotas }).session)
  const { bytesLeft } = { bytesLeft: undefined, ...told }
  expect({ ...(bytesLeft !== undefined && { bytesLeft }) }).toEqual(left)
})

test('whose an address is, in or not, is told where it is behind the gate', async () => {
  const parts = {
    lans,
    neighbours:
      '192.168.20.101 dev lan20 lladdr 02:00:00:00:00:01 STALE\n10.0.0.7 dev eth1 lladdr 02:00:00:00:00:02 STALE\n',
  }
  const at = (address: string) => guests.at(device(parts).session, address)
  expect(await at('192.168.20.101')).toEqual({ mac: '02:00:00:00:00:01', lan: 'id-20' })
  expect(await at('10.0.0.7')).toBeUndefined()
  expect(await at('192.168.20.102')).toBeUndefined()
  expect(await at('192.168.20.101 dev lan20; reboot')).toBeUndefined()
})

test('bounds anew are counted anew, under the mark that open connections have', async () => {
  const { session, sent } = device(oneIn)
  await guests.admit(session, [{ ...admission, bytes: 1000, download: 8000, upload: 2000 }])
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('delete quota inet lanward_gate g2345_7\n')
  expect(sent[0]).toContain('add quota inet lanward_gate g2345_8 { over 1000 bytes ; }')
  expect(sent[0]).toContain(`add element inet lanward_gate mark_of { "lan20" . 02:00:00:00:00:01 : ${mark} }`)
  expect(sent[0]).toContain('class replace dev lan20 parent 4c57: classid 4c57:2345 htb rate 8000kbit')
  expect(sent[0]).not.toContain('class replace dev eth0')
  expect(sent[0]).toContain(`over_up { ${mark} limit rate over 250000 bytes/second`)
})

test('thousands come at once by few commands, whoever takes whose mark', async () => {
  const { session, sent } = device(oneIn)
  const hex = (at: number) => at.toString(16).padStart(2, '0')
  const all = Array.from({ length: 5000 }, (_, at) => ({
    ...{ ...admission, mac: `02:00:00:01:${hex(at >> 8)}:${hex(at & 255)}` },
    ...{ download: 8000, upload: 2000 },
  }))
  await guests.admit(session, all)
  const text = sent.join('')
  expect(text.match(/^add quota /gm)).toHaveLength(5000)
  expect(text.match(/^(add|delete) element /gm)?.length).toBeLessThan(100)
  const marks = new Set(text.match(/02:00:00:01:..:.. : \d+/g)?.map(one => one.split(' ')[2]))
  expect(marks.size).toBe(5000)
})

test('nobody is let in where a single one cannot be', async () => {
  const { session, sent } = device(oneIn)
  const elsewhere = { ...admission, mac: '02:00:00:00:00:02', lan: 'id-30' }
  await expect(guests.admit(session, [admission, elsewhere])).rejects.toMatchObject({ reason: 'unsupported' })
  expect(sent).toEqual([])
})

test('a device without a gate lets nobody in, and has nobody to remove', async () => {
  const { session, sent } = device({})
  await expect(guests.admit(session, [admission])).rejects.toMatchObject({ reason: 'unsupported' })
  await guests.remove(session, [admission.mac])
  expect([await guests.list(session), sent]).toEqual([[], []])
})

test.each([
  '',
  '{',
  'elements = { "lan20; reboot" . 02:00:00:00:00:01 : 0x4c572345 }',
  '{"nftables":[{"map":{"elem":[[{"concat":["lan20; reboot",7]},"x"],null,[]]}}]}',
  '[]',
])('an answer that makes no sense adds nothing to a command: %j', async text => {
  const { session, sent } = device({ ...oneIn, found: text, mark_of: text, until: text, use_of: text, quotas: text })
  await guests.admit(session, [admission]).catch(() => undefined)
  expect(sent.join('')).not.toContain('reboot')
})
