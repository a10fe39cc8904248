import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { newKeyPair } from '../drivers/ssh-server'
import { never, on, plan, push, target } from './_device'
import { apply } from './_firewall'
import { lab, until } from './_lab'

// The manager's place stands for the servers: what the access point sends to them is received there.

const system = (data: Record<string, unknown>) => ({ id: 'system', kind: 'system', name: '', data })
// Not every release has /etc/timezone.
const zone = 'readlink /etc/localtime; cat /etc/timezone 2>/dev/null'
const lines = async (line: string) => (await lab.sh('ap1', line)).stdout.trim()

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** How a login ends. While sshd reads its settings again, just told to, it takes nobody: then it is tried again. */
const entered = (enter: () => Promise<unknown>): Promise<string> =>
  until(() =>
    enter().then(
      () => 'in',
      ({ reason }) => reason !== 'refused' && reason !== 'closed' && String(reason),
    ),
  )

/** Datagrams that come in on a port while the test runs. */
async function datagrams(port: number) {
  const { addresses } = await lab.up()
  const seen: { from: string; data: Buffer }[] = []
  const socket = createSocket('udp4', (data, from) => seen.push({ from: from.address, data }))
  socket.bind(port, addresses.mgr)
  await once(socket, 'listening')
  open.push(() => socket.close())
  return seen
}

let mgr: string
let ap: string
beforeAll(async () => {
  const { addresses } = await lab.up()
  mgr = addresses.mgr
  ap = addresses.ap1
})
afterAll(() => lab.reset('ap1'))

test('the device asks the time server that is set, and again after a boot', async () => {
  const seen = await datagrams(123)
  expect(await apply('ap1', system({ ntpServers: [mgr] }))).toEqual([])
  const asked = await until(() => seen.at(-1))
  expect(asked.from).toBe(ap)
  // RFC 5905: 48 bytes, mode 3 is a client.
  expect(asked.data.length).toBe(48)
  expect((asked.data[0] ?? 0) & 7).toBe(3)
  expect(await lines('timedatectl show-timesync -p SystemNTPServers')).toBe(`SystemNTPServers=${mgr}`)
  await lab.off('ap1')
  const before = seen.length
  await lab.on('ap1')
  await until(() => seen.length > before)
  await apply('ap1')
  expect(await lines('systemctl is-active systemd-timesyncd')).toBe('inactive')
})

test('a line of the device’s log arrives at the syslog server by UDP, and no more once it is not set', async () => {
  const seen = await datagrams(5514)
  const said = (word: string) => seen.filter(one => one.from === ap && one.data.includes(word)).length
  expect(await apply('ap1', system({ syslog: 'udp', syslogHost: mgr, syslogPort: 5514 }))).toEqual([])
  await lab.in('ap1', ['logger', '-t', 'lab', 'hello-by-udp'])
  await until(() => said('lab: hello-by-udp'))
  await apply('ap1')
  expect(await lines('systemctl is-active rsyslog; ls /etc/rsyslog.d')).toBe('inactive')
})

test('by TCP, what was said while the server was away arrives too', async () => {
  expect(await apply('ap1', system({ syslog: 'tcp', syslogHost: mgr, syslogPort: 5515 }))).toEqual([])
  await lab.in('ap1', ['logger', '-t', 'lab', 'said-before'])
  let text = ''
  const server = createServer(socket => socket.on('data', data => (text += data)))
  server.listen(5515, mgr)
  open.push(() => server.close())
  await until(() => text.includes('lab: said-before'))
  await apply('ap1')
})

test('the time zone shows in the clock, goes back with the push, and is given back when it is set no more', async () => {
  const before = await lines(zone)
  const away = 'Asia/Tokyo'
  await on('ap1', async session => {
    const { next } = await plan(session, [system({ timeZone: away })])
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
    const [, named] = before.split('\n')
    expect((await lines(`date +%z; ${zone}`)).split('\n')).toEqual([
      '+0900',
      `/usr/share/zoneinfo/${away}`,
      ...(named === undefined ? [] : [away]),
    ])
    await driver.revert(session, pending)
    expect(await lines(zone)).toBe(before)
  })
  await apply('ap1', system({ timeZone: away }))
  await apply('ap1', system({ timeZone: 'America/St_Johns' }))
  expect(await lines('date +%Z')).toMatch(/^N[SD]T$/)
  await apply('ap1')
  expect(await lines(`${zone}; ls /etc/lanward`)).not.toContain('before')
  expect(await lines(zone)).toBe(before)
})

describe('a tz database that is not the manager’s', () => {
  const zones = '/usr/share/zoneinfo'
  const names = ['Asia/Tokyo', 'Japan']
  beforeEach(() => lab.sh('ap1', `cp -a ${zones} /tmp/zones`))
  afterEach(() => lab.sh('ap1', `rm -rf ${zones} && mv /tmp/zones ${zones}`))

  test.each(names)('has the zone as %s alone: that is set, proven, and found again', async name => {
    const others = names.filter(one => one !== name).map(one => `${zones}/${one}`)
    await lab.sh(
      'ap1',
      `cp -L ${zones}/${name} /tmp/zone; rm -f ${others.join(' ')}; cp --remove-destination /tmp/zone ${zones}/${name}`,
    )
    expect(await apply('ap1', system({ timeZone: 'Asia/Tokyo' }))).toEqual([])
    expect(await lines(`date +%z; ${zone}`)).toContain(`+0900\n${zones}/${name}`)
    await on('ap1', async session => {
      const { next } = await plan(session, [system({ timeZone: 'Asia/Tokyo' })])
      expect((await driver.read(session)).blocks).toEqual(next.blocks.map(({ id, text }) => ({ id, text })))
    })
    await apply('ap1')
  })

  test('has no name of the zone: it is left out before the push, and the rest is set', async () => {
    const before = await lines(zone)
    await lab.sh('ap1', `cd ${zones} && rm -f ${names.join(' ')}`)
    expect(await apply('ap1', system({ timeZone: 'Asia/Tokyo', hostname: 'north' }))).toEqual(['zoneMissing'])
    expect(await lines('hostname')).toBe('north')
    expect(await lines(zone)).toBe(before)
    await apply('ap1')
  })

  test('lost the zone since it was read: the push is refused there, and nothing is changed', async () => {
    await on('ap1', async session => {
      const { next } = await plan(session, [system({ timeZone: 'Asia/Tokyo' })])
      await lab.sh('ap1', `cd ${zones} && rm -f ${names.join(' ')}`)
      await expect(push(session, next, 120)).rejects.toThrow('does not know the time zone Asia/Tokyo')
      expect((await driver.read(session)).blocks).toEqual([])
    })
  })
})

test('logins with a password are refused by the device, with the manager’s key it comes in', async () => {
  const off = system({ passwordLogin: 'off' })
  const byPassword = () => on('ap1', async () => undefined, 'password')
  await byPassword()
  // The image's own drop-in says otherwise, and comes later.
  await lab.sh('ap1', 'echo "PasswordAuthentication yes" >/etc/ssh/sshd_config.d/50-image.conf')
  expect(await apply('ap1', off)).toEqual([])
  expect(await entered(byPassword)).toBe('credentials')
  await on('ap1', async session => expect((await plan(session, [off])).warnings).toEqual([]))
  await apply('ap1')
  expect(await entered(byPassword)).toBe('in')
  await on(
    'ap1',
    async session => {
      const { next, warnings } = await plan(session, [off])
      expect(next.blocks).toEqual([])
      expect(warnings).toMatchObject([{ code: 'managerByPassword', blocks: true }])
    },
    'password',
  )
})

test('a public key lets its owner in beside the device’s own, and no more once it is taken out', async () => {
  const { private: privateKey, public: publicKey } = newKeyPair('night shift')
  const enter = async () => {
    const known = await target('ap1')
    const credential = { type: 'ssh' as const, user: 'root', privateKey }
    driver.close(await driver.connect({ ...known, credential }, never))
  }
  await expect(enter()).rejects.toMatchObject({ reason: 'credentials' })
  expect(await apply('ap1', system({ sshKeys: [publicKey] }))).toEqual([])
  expect(await entered(enter)).toBe('in')
  await on('ap1', async () => undefined)
  await apply('ap1')
  expect(await entered(enter)).toBe('credentials')
  await on('ap1', async () => undefined)
})

test('a device that looks for keys elsewhere is left as it is', async () => {
  const file = '/etc/ssh/sshd_config.d/50-keys.conf'
  await lab.sh('ap1', `echo "AuthorizedKeysFile /etc/ssh/keys.%u .ssh/authorized_keys" >${file}`)
  const { public: publicKey } = newKeyPair()
  await on('ap1', async session => {
    const { next } = await plan(session, [system({ sshKeys: [publicKey] })])
    await expect(push(session, next, 120)).rejects.toThrow('another file of the device')
    expect((await driver.read(session)).blocks).toEqual([])
  })
  await lab.sh('ap1', `rm ${file}`)
})

test('A18: the device calls itself as it was told, also after a boot, and by its own name when it is set no more', async () => {
  const file = '/etc/hostname /etc/hosts'
  const before = await lines(`cat ${file}`)
  expect(await apply('ap1', system({ hostname: 'lobby-ap' }))).toEqual([])
  expect(await lines('hostname; getent hosts lobby-ap')).toMatch(/^lobby-ap\n127\.0\.1\.1 +lobby-ap/)
  await lab.reboot('ap1')
  await on('ap1', async session => expect((await driver.facts(session)).hostname).toBe('lobby-ap'))
  await apply('ap1')
  expect(await lines('hostname')).toBe('ap1')
  expect(await lines(`cat ${file}`)).toBe(before)
  expect(await lines('ls /etc/lanward')).not.toContain('hostname')
})

test('A12: the account gets the password that is set, and has its own again when it is set no more', async () => {
  const { credentials } = await lab.up()
  const enter = async (password: string) => {
    const known = await target('ap1')
    const credential = { type: 'ssh' as const, user: credentials.ssh.user, password }
    driver.close(await driver.connect({ ...known, credential }, never))
  }
  const refused = { reason: 'credentials' }
  const word = '$(id)"\\\''
  await enter(credentials.ssh.password)
  expect(await apply('ap1', system({ sshPassword: word }))).toEqual([])
  await enter(word)
  await expect(enter(credentials.ssh.password)).rejects.toMatchObject(refused)
  await on('ap1', async () => undefined)
  await apply('ap1')
  await enter(credentials.ssh.password)
  await expect(enter(word)).rejects.toMatchObject(refused)
  expect(await lines('ls /etc/lanward')).not.toContain('password')
})

test('the SNMP agent answers whom the settings say, and nobody else', async () => {
  const get = async (...who: string[]) =>
    (await lab.tool('snmpget', '-t', '1', '-r', '1', '-Ovq', ...who, ap, '.1.3.6.1.2.1.1.5.0')).stdout
      .trim()
      .replaceAll('"', '')
  const community = 'aB3!@#$&*+=_-'
  const user = (key: string) => [
    '-v3',
    '-l',
    'authPriv',
    '-u',
    'monitor-1',
    '-a',
    'SHA',
    '-A',
    key,
    '-x',
    'AES',
    '-X',
    `${key}2`,
  ]
  const byUser = (key: string) => ({ snmpUser: 'monitor-1', snmpAuthKey: key, snmpPrivKey: `${key}2` })
  const own = () => get('-v2c', '-c', 'public')
  // The agent tells the name that it was started with.
  await lab.in('ap1', ['systemctl', 'restart', 'snmpd'])
  await until(async () => (await own()) === 'ap1')
  expect(await apply('ap1', system({ snmp: 'on', snmpCommunity: community, ...byUser('first-key#1') }))).toEqual([])
  await until(async () => (await get('-v2c', '-c', community)) === 'ap1')
  await until(async () => (await get(...user('first-key#1'))) === 'ap1')
  expect(await own()).toBe('')
  await apply('ap1', system({ snmp: 'on', ...byUser('other-key#1') }))
  await until(async () => (await get(...user('other-key#1'))) === 'ap1')
  expect(await get(...user('first-key#1'))).toBe('')
  expect(await get('-v2c', '-c', community)).toBe('')
  await apply('ap1', system({ snmp: 'off' }))
  expect(await get(...user('other-key#1'))).toBe('')
  await apply('ap1')
  await until(async () => (await own()) === 'ap1')
})

// The lab's kernel has no LEDs: a unit of the device lays plain files where the kernel would show them, at each boot.
const makeLights = `mkdir -p /run/l/upper/leds /run/l/work && cd /run/l/upper/leds &&
mkdir green:status red:power input3::capslock && echo heartbeat >green:status/trigger && echo 1 >green:status/brightness &&
echo '[none] timer' >red:power/trigger && echo 200 >red:power/brightness &&
echo '[kbd-capslock]' >input3::capslock/trigger && echo 1 >input3::capslock/brightness &&
mount -t overlay overlay -o lowerdir=/sys/class,upperdir=/run/l/upper,workdir=/run/l/work /sys/class`
const lightsUnit = `[Unit]
Before=lanward-leds.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /etc/lights.sh
[Install]
WantedBy=multi-user.target
`

test('the device’s lights go off, stay off after a boot, and do again what they did when it is set no more', async () => {
  const unit = '/etc/systemd/system/lab-lights.service'
  await lab.in('ap1', ['sh', '-c', 'cat >/etc/lights.sh'], { input: makeLights })
  await lab.in('ap1', ['sh', '-c', `cat >${unit}`], { input: lightsUnit })
  await lab.sh('ap1', 'systemctl enable --now lab-lights.service')
  const lights = () =>
    lines(
      'cd /sys/class/leds && for l in green:status input3::capslock red:power; do echo "$l $(cat $l/brightness) $(cat $l/trigger)"; done',
    )
  const before = 'green:status 1 heartbeat\ninput3::capslock 1 [kbd-capslock]\nred:power 200 '
  expect(await lights()).toBe(`${before}[none] timer`)
  const dark = 'green:status 0 none\ninput3::capslock 1 [kbd-capslock]\nred:power 0 none'
  expect(await apply('ap1', system({ leds: 'off' }))).toEqual([])
  expect(await lights()).toBe(dark)
  await lab.reboot('ap1')
  await until(async () => (await lights()) === dark)
  await apply('ap1')
  // The kernel lights one itself that has a trigger.
  expect(await lights()).toBe(`${before.replace('status 1', 'status 0')}none`)
  expect(await lines('ls /run/lanward/leds /etc/lanward/leds.sh 2>/dev/null')).toBe('')
  await on('ap1', async session => expect((await driver.facts(session)).capabilities).toContain('leds'))
  await lab.sh('ap1', `systemctl disable --now lab-lights.service; umount /sys/class; rm ${unit} /etc/lights.sh`)
})
