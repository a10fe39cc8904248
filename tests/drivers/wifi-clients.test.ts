// What brings clients of one access point through the bridge is in golden/linux/wireless-rules; here it runs, on a folder
// that stands for the kernel and hostapd.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wifiClientsArea } from '@/server/drivers/linux/firewall/wifi-clients'
import { made } from './_golden'

const { blocks } = made('linux/wireless-rules/03-clients-of-one-access-point')
const textOf = (path: string) => blocks.find(block => block.id === `file:${path}`)?.text ?? ''
const scriptPath = '/etc/lanward/wifi-clients.sh'
const own = 'wlan0_2'

let folder = ''
const at = (path: string) => join(folder, path)
const port = (name: string) => at(`net/${name}/brport/hairpin_mode`)
const hairpin = (name: string) => readFileSync(port(name), 'utf8').trim()
const told = () => (existsSync(at('told')) ? readFileSync(at('told'), 'utf8').split('\n').filter(Boolean) : [])
const says = (name: string, answers: Record<string, string>) =>
  Object.entries({ status: 'state=ENABLED', set: 'OK', update_beacon: 'OK', ...answers }).map(([what, answer]) =>
    writeFileSync(at(`says/${name}.${what}`), `${answer}\n`),
  )

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clients-'))
  for (const one of ['bin', 'says', 'run', 'hostapd']) mkdirSync(at(one))
  for (const name of ['wlan0', own, 'wlan9']) {
    mkdirSync(join(port(name), '..'), { recursive: true })
    writeFileSync(port(name), '0\n')
    writeFileSync(at(`run/${name}`), '')
    says(name, {})
  }
  // Whoever waits is told that what it waits for is there.
  writeFileSync(at('bin/sleep'), `#!/bin/sh\n[ ! -e ${at('come')} ] || sh ${at('come')}\n`)
  const cli = `#!/bin/sh
name=$4; shift 4
[ "$1" = status ] || echo "$name $*" >>${at('told')}
cat ${at('says')}/$name.$1
`
  writeFileSync(at('bin/hostapd_cli'), cli)
  for (const one of ['sleep', 'hostapd_cli']) chmodSync(at(`bin/${one}`), 0o755)
  writeFileSync(at('hostapd/lanward-phy0.conf'), `interface=wlan0\nap_isolate=1\n\nbss=${own}\nap_isolate=0\n`)
})
afterEach(() => rmSync(folder, { recursive: true }))

const here = (text: string) =>
  text
    .replaceAll('/sys/class/net/', at('net/'))
    .replaceAll('/run/hostapd/', at('run/'))
    .replaceAll('/etc/hostapd/', at('hostapd/'))
    .replaceAll('PATH=/usr/sbin', `PATH=${at('bin')}:/usr/sbin`)
const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(path => spawnSync(path, ['true']).status === 0)
const shells = [['sh'], ...(busybox ? [[busybox, 'sh']] : [])]

describe.each(shells)('by %s', (...shell) => {
  const run = (text: string, ...words: string[]) => {
    const [program = 'sh', ...first] = shell.filter(word => typeof word === 'string')
    const env = { ...process.env, PATH: `${at('bin')}:${process.env.PATH}` }
    const { status, stderr } = spawnSync(program, [...first, '-s', ...words], {
      ...{ input: here(text), encoding: 'utf8', env },
    })
    return { code: status, stderr }
  }
  const start = () => run(textOf(scriptPath))
  const check = () => run(textOf(scriptPath), 'check').code

  test('the port sends back before hostapd keeps clients apart, on the rule’s network alone', () => {
    expect(check()).toBe(1)
    expect(start()).toEqual({ code: 0, stderr: '' })
    expect([hairpin(own), hairpin('wlan0')]).toEqual(['1', '0'])
    expect(told()).toEqual([`${own} set ap_isolate 1`, `${own} update_beacon`])
    expect(check()).toBe(0)
  })

  test('a network that is not on the air yet is waited for', () => {
    says(own, { status: 'state=DFS' })
    writeFileSync(at('come'), `echo state=ENABLED >${at('says')}/${own}.status`)
    // Of what listens for radar nothing is asked.
    expect(check()).toBe(0)
    expect(start().code).toBe(0)
    expect(hairpin(own)).toBe('1')
  })

  test('clients whom hostapd does not keep apart keep their way, and it is tried again', () => {
    says(own, { set: 'FAIL' })
    writeFileSync(at('come'), `cat ${port(own)} >>${at('meanwhile')}; echo OK >${at('says')}/${own}.set`)
    expect(start().code).toBe(0)
    expect(readFileSync(at('meanwhile'), 'utf8')).toBe('0\n')
    expect(hairpin(own)).toBe('1')
  })

  test('without a rule all is as hostapd’s file says; a network of somebody else is left alone', () => {
    for (const name of ['wlan0', own, 'wlan9']) writeFileSync(port(name), '1\n')
    const [settle = ''] = wifiClientsArea.settle([scriptPath], [])
    expect(run(`serve() { :; }\n${settle.replaceAll(scriptPath, at('gone'))}`).code).toBe(0)
    expect([hairpin('wlan0'), hairpin(own), hairpin('wlan9')]).toEqual(['0', '0', '1'])
    const back = (name: string, value: number) => [`${name} set ap_isolate ${value}`, `${name} update_beacon`]
    expect(told()).toEqual([...back('wlan0', 1), ...back(own, 0)])
  })
})
