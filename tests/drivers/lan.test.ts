// What is made of LAN networks is in golden/*/lan; here is what follows from it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { forwardingArea } from '@/server/drivers/linux/area/forwarding'
import { configuredBy, readServers } from '@/server/drivers/linux/base/owners'
import type { LinuxSession } from '@/server/drivers/linux/observe/observe'
import type { Observation } from '@/server/drivers/observation'
import { lanRenderer as openwrt } from '@/server/drivers/openwrt/lan/lan'
import { planPush as planUci } from '@/server/drivers/openwrt/push'
import { scratchFolder } from '../_scratch'
import { made, readCase, render } from './_golden'
import { networkRoles } from './_network-roles'

test('the order of the documents does not change the plan', () => {
  const name = 'linux/lan/10-two'
  const { given } = readCase(name)
  expect(given.documents).toHaveLength(2)
  expect(render('linux/lan', { ...given, documents: given.documents.toReversed() })).toEqual(made(name))
})

describe('IPv6 of an uplink that the kernel takes from its router', () => {
  const name = 'linux/lan/24-ipv6-of-the-kernel'
  const { blocks } = made(name)
  const file = '/etc/sysctl.d/99-z-lanward-lan.conf'
  let folder = ''
  const at = (of: string) => join(folder, 'proc/net/ipv6/conf', of)
  const here = (text: string) =>
    text.replaceAll('/proc/sys/', `${folder}/proc/`).replaceAll('/etc/sysctl.d/', `${folder}/`)
  const run = (text: string) => spawnSync('sh', ['-s'], { input: here(text), encoding: 'utf8' })
  const kernel = (of: string, value: string) => {
    mkdirSync(dirname(at(of)), { recursive: true })
    writeFileSync(at(of), `${value}\n`)
  }
  const says = (of: string) => readFileSync(at(of), 'utf8').trim()
  const session = {
    become: '',
    ssh: {
      exec: async (_line: string, { input }: { input: string }) => {
        const { status, stdout, stderr } = run(input)
        return { code: status, stdout, stderr }
      },
    },
  } as unknown as LinuxSession

  beforeEach(() => {
    folder = scratchFolder('forwarding-')
    mkdirSync(join(folder, 'proc/net/ipv4'), { recursive: true })
    writeFileSync(join(folder, 'proc/net/ipv4/ip_forward'), '0\n')
    kernel('all/forwarding', '0')
    kernel('eth0.7/accept_ra', '1')
    kernel('eth1/accept_ra', '1')
    writeFileSync(here(file), blocks.find(block => block.id === `file:${file}`)?.text ?? '')
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const settle = () =>
    run(`settle() {\n${forwardingArea.settle([file], [file]).join('\n')}\n}\nsettle || exit 1`).status

  test('goes on while the gateway forwards, and nowhere else', async () => {
    expect(settle()).toBe(0)
    expect([says('all/forwarding'), says('eth0.7/accept_ra'), says('eth1/accept_ra')]).toEqual(['1', '2', '1'])
    expect(await forwardingArea.verify?.(session, blocks)).toEqual([])
  })

  test('what somebody else has switched off since stays off', () => {
    kernel('eth0.7/accept_ra', '0')
    expect([settle(), says('eth0.7/accept_ra')]).toEqual([0, '0'])
  })

  test('ignored all the same it is told', async () => {
    settle()
    kernel('eth0.7/accept_ra', '1')
    let now = 0
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now += 10_000))
    const wrong = await forwardingArea.verify?.(session, blocks)
    clock.mockRestore()
    expect(wrong).toEqual([{ code: 'advertisementsIgnored', kind: 'lan', values: { interface: 'eth0.7' } }])
  })

  test('is not Lanward’s where networkd takes it: the kernel’s own is off there', () => {
    const { given } = readCase(name)
    const interfaces = given.observation?.interfaces?.map(({ takesAdvertisements: _, ...one }) => one)
    const told = render('linux/lan', { ...given, observation: { ...given.observation, interfaces } as Observation })
    expect(told.blocks.find(block => block.id === `file:${file}`)?.text).not.toContain('accept_ra')
  })
})

test('who configures what, and who serves on every interface', () => {
  expect(configuredBy('index=3 /etc/systemd/network/10 lan.network\nname=eth0 ifupdown\nx\n')).toEqual(
    new Map([
      ['index=3', '/etc/systemd/network/10 lan.network'],
      ['name=eth0', 'ifupdown'],
    ]),
  )
  const users = (name: string, pid: number) => `0.0.0.0:* users:(("${name}",pid=${pid},fd=4))`
  const said = [
    'own 12',
    `UNCONN 0 0 0.0.0.0:53 ${users('unbound', 7)}`,
    `UNCONN 0 0 [::]:53 ${users('unbound', 7)}`,
    `UNCONN 0 0 0.0.0.0:67 ${users('dnsmasq', 12)}`,
    `UNCONN 0 0 0.0.0.0%eth1:67 ${users('dnsmasq', 9)}`,
    `UNCONN 0 0 127.0.0.1:53 ${users('dnsmasq', 9)}`,
  ].join('\n')
  expect(readServers(said)).toEqual([{ port: 53, program: 'unbound' }])
  expect(readServers(undefined)).toBeUndefined()
})

test('OpenWrt: a push touches three files, makes lists of lists, and keeps the order where it counts', () => {
  const pool = {
    ...{ name: 'LAN 20', vlan: 20, address: '192.168.20.1/24' },
    ...{ poolStart: '192.168.20.100', poolEnd: '192.168.20.150' },
  }
  const network = (data: object) =>
    openwrt.render({
      facts: { kind: 'gateway', capabilities: [] },
      observation: { takenAt: 0, depth: 'full', networks: [{ name: 'lan', device: 'br-lan' }], networkRoles },
      documents: [{ id: 'id-20', kind: 'lan', name: 'LAN 20', data: { ...pool, ...data } }],
      confirmSeconds: 90,
    })
  const leases = [{ mac: '02:00:00:00:00:01', address: '192.168.20.7', name: 'printer' }]
  const next = network({ isolation: true, leases })
  const plan = planUci('id', network({}), next, 60)
  expect(plan.files).toEqual(['/etc/config/dhcp', '/etc/config/firewall'])
  expect(plan.apply).not.toContain('delete network.')
  expect(plan.apply).toContain('uci -q delete firewall.lw_lan20_to_wan\n')
  const text = plan.writes[0]?.text ?? ''
  expect(text).toContain("add_list firewall.lw_lan20.network='lw_lan20'\n")
  expect(text).toContain("add_list firewall.lw_lan20_dhcp.proto='tcp'\nadd_list firewall.lw_lan20_dhcp.proto='udp'\n")
  expect(text.indexOf('firewall.lw_lan20=zone')).toBeLessThan(text.indexOf('firewall.lw_lan20_to_wan=forwarding'))
  expect(planUci('id', next, next, 60).files).toEqual([])
})
