// How a client is put off the air on OpenWrt, by the shells that read it. hostapd itself: tests/kernel/wifi/kick.test.ts.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { hostapdCliKick, kicked, ubusKick } from '@/server/drivers/unix/kick'

const folder = mkdtempSync(`${tmpdir()}/lanward-kick-`)
afterAll(() => rmSync(folder, { recursive: true }))
const told = `${folder}/told`
const recorded = `${process.cwd()}/tests/recordings/openwrt-24.10/hostapd-clients-phy0-ap0.out`
const there = 'b8:27:eb:77:88:99'
const elsewhere = '02:00:5e:10:00:c1'

/** What a device's bus said, recorded; `refuses`: it does not put anybody out. */
function bus(refuses = false): void {
  const says = refuses ? "echo 'Command failed: Permission denied' >&2; exit 6" : `echo "$*" >>${told}`
  writeFileSync(
    `${folder}/ubus`,
    `#!/bin/sh
case "$1 $2 $3" in
'list  ') printf '%s\\n' hostapd hostapd.phy0-ap0 hostapd.phy1-ap0 system ;;
'call hostapd.phy0-ap0 get_clients') cat ${recorded} ;;
'call hostapd.phy1-ap0 get_clients') echo '{"clients":{}}' ;;
'call hostapd.'*' del_client') ${says} ;;
*) exit 4 ;;
esac
`,
  )
  chmodSync(`${folder}/ubus`, 0o755)
}
const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(path => spawnSync(path, ['true']).status === 0)
const shells = [['sh'], ...(busybox ? [[busybox, 'sh']] : [])]

beforeEach(() => {
  bus()
  writeFileSync(told, '')
})

describe.each(shells)('by %s', (...shell) => {
  const put = (...macs: string[]) => {
    const [program = 'sh', ...words] = shell.filter(word => typeof word === 'string')
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    const { status, stdout, stderr } = spawnSync(program, [...words, '-s'], {
      ...{ input: ubusKick(macs), encoding: 'utf8', env },
    })
    return { code: status, stdout, stderr }
  }

  test('who is there is put out of its network alone and answered; who is not is passed by', () => {
    expect(kicked(put(there.toUpperCase(), elsewhere))).toEqual([there])
    expect(readFileSync(told, 'utf8')).toBe(
      `call hostapd.phy0-ap0 del_client {"addr":"${there}","reason":5,"deauth":true,"ban_time":0}\n`,
    )
    expect(kicked(put(elsewhere))).toEqual([])
  })

  test('a refusal of hostapd is an error with its words', () => {
    bus(true)
    expect(() => kicked(put(there))).toThrow('hostapd.phy0-ap0: Command failed: Permission denied')
  })
})

test('without hostapd it says that it cannot, and what is no MAC address goes nowhere', () => {
  const env = { ...process.env, PATH: '/nonexistent' }
  const { status } = spawnSync('/bin/sh', ['-s'], { input: hostapdCliKick([there]), encoding: 'utf8', env })
  expect(() => kicked({ code: status, stdout: '', stderr: '' })).toThrow(/^unsupported/)
  for (const script of [hostapdCliKick, ubusKick]) expect(() => script(["x'; reboot"])).toThrow('no MAC address')
  expect(openwrtDriver.actions.kick).toBeDefined()
})
