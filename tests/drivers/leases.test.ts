// How a lease is taken out of dnsmasq's file, by the shells of the systems that have one.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { noLease, releaseScript } from '@/server/drivers/unix/leases'

const folder = mkdtempSync(`${tmpdir()}/lanward-leases-`)
afterAll(() => rmSync(folder, { recursive: true }))
const [file, other, told] = ['dhcp.leases', 'other.leases', 'told'].map(name => `${folder}/${name}`) as [
  string,
  string,
  string,
]

const lines = [
  '1795400000 02:00:5e:10:00:c1 10.77.2.101 c1 01:02:00:5e:10:00:c1',
  '1795400000 02:00:5e:10:00:c2 10.77.2.102 * *',
  '1795400000 02:00:5e:10:00:c2 10.77.2.10 two *',
  'duid 00:01:00:01:2f',
]
const around = {
  files: `${folder}/missing.leases ${file} ${other}`,
  stop: `echo "stop $f" >>${told}`,
  start: `echo "start $f" >>${told}`,
}
const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(path => spawnSync(path, ['true']).status === 0)
const shells = [['sh'], ...(busybox ? [[busybox, 'sh']] : [])]

beforeEach(() => {
  writeFileSync(file, `${lines.join('\n')}\n`)
  writeFileSync(other, `${lines[0]}\n`)
  writeFileSync(told, '')
})

describe.each(shells)('by %s', (...shell) => {
  const release = (mac: string, address: string, more: Partial<typeof around> = {}) => {
    const [program = 'sh', ...words] = shell.filter(word => typeof word === 'string')
    return spawnSync(program, [...words, '-s'], {
      input: releaseScript({ mac, address }, { ...around, ...more }),
      encoding: 'utf8',
    })
  }

  test('one line goes, its server alone is stopped and started', () => {
    expect(release('02:00:5E:10:00:C2', '10.77.2.10')).toMatchObject({ status: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe(`${[lines[0], lines[1], lines[3]].join('\n')}\n`)
    expect(readFileSync(told, 'utf8')).toBe(`stop ${file}\nstart ${file}\n`)
  })

  test('a lease of another client, or another address, stays', () => {
    expect(release('02:00:5e:10:00:c3', '10.77.2.102')).toMatchObject({ status: 4, stderr: `${noLease}\n` })
    expect(release('02:00:5e:10:00:c2', '10.77.2.1')).toMatchObject({ status: 4 })
    expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`)
    expect(readFileSync(told, 'utf8')).toBe('')
  })

  test('the last lease of a file leaves an empty one, and a server that cannot be stopped keeps its file', () => {
    expect(release('02:00:5e:10:00:c1', '10.77.2.101', { files: other })).toMatchObject({ status: 0 })
    expect(readFileSync(other, 'utf8')).toBe('')
    expect(release('02:00:5e:10:00:c1', '10.77.2.101', { stop: 'false' })).toMatchObject({ status: 3 })
    expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`)
  })
})

test('what is no MAC address or no address is no lease', () => {
  expect(() => releaseScript({ mac: "x'; reboot", address: '10.0.0.1' }, around)).toThrow()
  expect(() => releaseScript({ mac: '02:00:00:00:00:01', address: '$(reboot)' }, around)).toThrow()
})
