// What is made of rules is in golden/openwrt (blocked-clients, limits, wireless-rules); here is what follows from it.
import { renderAll } from '@/server/drivers/assess'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { blockedRenderer } from '@/server/drivers/openwrt/firewall/blocked'
import { equal, planPush } from '@/server/drivers/openwrt/push'
import { fileChanges, splitFiles } from '@/server/drivers/openwrt/uci/files'
import { made } from './_golden'
import { networkRoles } from './_network-roles'

test('the manager’s own address on the list is a cut', () => {
  const next = made('openwrt/blocked-clients/02-route')
  const path = { peer: '192.168.1.2', local: '192.168.1.1', interface: 'br-lan' }
  const hosts = [{ mac: '02:00:00:00:00:07', address: '192.168.1.2', source: 'arp' as const }]
  const cuts = blockedRenderer.cuts?.({ blocks: [] }, next, { takenAt: 0, depth: 'full', path, hosts })
  expect(cuts).toMatchObject([{ code: 'blocked' }])
})

test('a push lays, changes and takes away the files of its plan, and no others', () => {
  const { blocks } = made('openwrt/blocked-clients/02-route')
  const laid = planPush('id', { blocks: [] }, { blocks }, 60)
  expect(laid.files).toEqual([
    '/etc/config/firewall',
    '/etc/lanward/blocked.nft',
    '/lib/upgrade/keep.d/lanward-blocked',
  ])
  expect(laid.writes.slice(1).map(one => one.text)).toEqual(blocks.slice(0, 2).map(one => one.text))
  expect(laid.apply).toContain('cp -p $D/new/1 /etc/lanward/blocked.nft')
  expect(laid.settle).toContain('/etc/init.d/firewall reload')
  const gone = planPush('id', { blocks }, { blocks: [] }, 60)
  expect(gone.apply).toContain('rm -f /etc/lanward/blocked.nft')
  expect(gone.settle).toContain("grep -q '^table inet lanward_blocked {' /etc/lanward/blocked.nft")
  const foreign = { blocks: [{ id: 'file:/etc/passwd', text: '' }] }
  expect(() => fileChanges({ blocks: [] }, foreign)).toThrow(/not ours/)
})

test('files are read back as they are, line by line', () => {
  const [file] = made('openwrt/blocked-clients/02-route').blocks
  if (!file) throw new Error('nothing was planned')
  const { shown, files } = splitFiles(`firewall.a=zone\n== lanward file /etc/lanward/blocked.nft\n${file.text}`)
  expect(shown).toBe('firewall.a=zone\n')
  expect(files).toEqual([{ id: file.id, text: file.text }])
  expect(files[0] && equal(file, files[0])).toBe(true)
  expect(equal(file, { ...file, text: file.text.split('\n').toReversed().join('\n') })).toBe(false)
})

test('rules with a schedule are read again when the clocks change, and only they bring that along', () => {
  const night = { name: 'Night', weekly: 'mon-sun 22:00-24:00', dates: [] }
  const of = (more: object) =>
    renderAll(openwrtDriver.renderers, {
      facts: { kind: 'gateway', capabilities: ['fw4'] },
      observation: { takenAt: 0, depth: 'full', networks: [{ name: 'wan', device: 'pppoe-wan' }], networkRoles },
      documents: [{ id: 'r', kind: 'wiredRule', name: 'r', data: { name: 'r', ...more } }],
      confirmSeconds: 90,
    }).blocks
  const laid = of({ schedule: night })
  const cron = laid.find(one => one.id === 'file:/etc/crontabs/root')
  expect(cron?.text).toBe('1 * * * * sh /etc/lanward/clock.sh # lanward\n')
  expect(of({}).filter(one => one.id.startsWith('file:'))).toEqual([])
  const plan = planPush('id', { blocks: [] }, { blocks: laid }, 60)
  expect(plan.files).toEqual(expect.arrayContaining(['/etc/crontabs/root', '/etc/lanward/clock.sh']))
  expect(plan.settle).toContain('/etc/init.d/cron restart')
  expect(planPush('id', { blocks: laid }, { blocks: laid }, 60).files).toEqual([])
})
