// What a rule set outlives, and what it does not.
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { apply, begin, end, get, noWeb, reaches, ruleset } from './_firewall'
import { lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

test('they stay through a restart of the own firewall and a reboot', async () => {
  await apply('gw', noWeb('stays'))
  await lab.in('gw', ['systemctl', 'restart', 'nftables'])
  await until(async () => (await ruleset()).includes('stays'))
  await lab.in('gw', ['systemctl', 'reload', 'nftables'])
  await until(async () => (await ruleset()).includes('stays'))
  await lab.reboot('gw')
  await until(async () => (await ruleset()).includes('stays'))
  await reaches('c2')
  expect(await get('c1')).toBe(28)
})

test('what is not confirmed goes back, the table in the kernel included', async () => {
  await apply('gw', noWeb('kept', { sources: ['192.0.2.1'] }))
  await on('gw', async session => {
    const pending = await push(session, (await plan(session, [noWeb('wrong')])).next, 120)
    expect(await ruleset()).toContain('wrong')
    await driver.revert(session, pending)
  })
  expect(await ruleset()).toContain('kept')
  expect(await ruleset()).not.toContain('wrong')
  await reaches('c1')
})

test('a rule set that nftables refuses changes nothing', async () => {
  const before = await ruleset()
  await on('gw', async session => {
    const { next } = await plan(session, [noWeb('broken')])
    const blocks = next.blocks.map(block => ({ ...block, text: block.text.replace('tcp dport 80', 'tcp dport x') }))
    await expect(push(session, { blocks }, 60)).rejects.toMatchObject({ reason: 'commandFailed' })
  })
  expect((await ruleset()).replace(/packets \d+ bytes \d+/g, '')).toBe(before.replace(/packets \d+ bytes \d+/g, ''))
})
