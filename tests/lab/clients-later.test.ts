// Who is blocked is so at once beside everything else that waits, and after a push and a reboot.
import { begin, c1, end, gateway, isSettled, one, preview, table } from './_clients-at-once'
import { get, reaches } from './_firewall'
import { lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

test('what else was saved waits as before, and the block is in force after the push as well as after a reboot', async () => {
  expect(await one.ok('clients/block', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  await one.ok('settings/wiredRule/save', {
    name: 'no telnet',
    protocol: 'tcp',
    ports: '23',
    assign: { devices: [gateway] },
  })
  expect(await one.ok('clients/unblock', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  await reaches('c1')
  expect(await one.ok('clients/block', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  expect(await get('c1')).toBe(28)
  expect((await lab.sh('gw', 'nft list ruleset')).stdout).not.toContain('dport 23')
  const waiting = (await preview(gateway)) as { blocks: { id: string }[]; changes: { kind: string }[] }
  expect(waiting.changes.map(change => change.kind)).toEqual(['wiredRule'])
  expect(JSON.stringify(waiting.blocks)).not.toContain('blocked.nft')
  expect(await one.pushed({ deviceIds: [gateway] })).toMatchObject({ state: 'applied', reason: '' })
  expect(await get('c1')).toBe(28)
  await lab.reboot('gw')
  await until(async () => (await table('gw', 'inet')).includes(c1))
  await reaches('c2')
  expect(await get('c1')).toBe(28)
  await until(() => one.known(gateway).then(() => true))
  await isSettled()
})
