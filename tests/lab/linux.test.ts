import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { connectSsh } from '@/server/drivers/ssh/ssh'
import { probeSystem } from '@/server/drivers/unix/probe'
import { newKeyPair } from '../drivers/ssh-server'
import { never, on, target } from './_device'
import { lab, until } from './_lab'

const c1 = '02:00:5e:10:00:c1'
const read = (device: 'gw' | 'sw1' | 'ap1', way?: 'key' | 'password') =>
  on(device, session => driver.observe(session, 'full'), way)

/** The number of the Debian that the devices run. */
const release = async () => /^\d+/.exec((await lab.in('gw', ['cat', '/etc/debian_version'])).stdout)?.[0]

beforeAll(async () => {
  await lab.up()
  await lab.reset('gw')
  // A gateway that began anew gives a lease to whoever asks, and these had one.
  await Promise.all([lab.reset('c1'), lab.reset('c2')])
  await until(async () => (await read('gw')).leases?.length === 2)
})

test.each([
  ['gw', 'gateway', '02:00:5e:10:00:01'],
  ['sw1', 'switch', '02:00:5e:10:00:02'],
  ['ap1', 'ap', '02:00:5e:10:00:03'],
] as const)('%s with the key and with the password: what it is', async (device, kind, mac) => {
  for (const way of ['key', 'password'] as const) {
    const facts = await on(device, session => driver.facts(session), way)
    expect(facts).toMatchObject({ hostname: device, kind, mac, firmware: `Debian GNU/Linux ${await release()}` })
    expect(facts.capabilities).toContain('root')
    // The lab's devices have no serial number to tell.
    expect(facts.serial).toBeUndefined()
  }
})

test('the probe knows a Debian before a driver is chosen', async () => {
  const session = await connectSsh(await target('gw'), never)
  const system = await probeSystem(session)
  session.close()
  expect(system).toMatchObject({ ID: 'debian', VERSION_ID: await release(), kernel: 'Linux' })
  expect(driver.match({ system })).toBeGreaterThan(0)
})

test('a line that the account’s shell prints hides neither the system nor root', async () => {
  await lab.sh('gw', 'echo "echo Welcome to hall 2" >>/root/.bashrc')
  try {
    const session = await connectSsh(await target('gw'), never)
    const system = await probeSystem(session)
    session.close()
    expect(system).toMatchObject({ ID: 'debian', kernel: 'Linux' })
    expect(await on('gw', async ({ become }) => become)).toBe('')
  } finally {
    await lab.sh('gw', "sed -i '$d' /root/.bashrc")
  }
})

test('the uptime is the device’s own and begins again with a reboot', async () => {
  const since = Date.now()
  await lab.reboot('ap1')
  const { uptimeSeconds } = await on('ap1', session => driver.observe(session, 'counters'))
  expect(uptimeSeconds).toBeLessThanOrEqual((Date.now() - since) / 1000)
})

test('the gateway: addresses, leases with names and reservation, load', async () => {
  const seen = await read('gw')
  expect(seen.problems).toBeUndefined()
  expect(seen.interfaces?.find(one => one.name === 'eth1')).toMatchObject({
    type: 'ethernet',
    up: true,
    addresses: ['10.77.0.1/22'],
  })
  const lease = seen.leases?.find(one => one.mac === c1)
  expect(lease).toMatchObject({ address: '10.77.2.101', hostname: 'c1', static: true })
  expect(lease?.expiresAt).toBeGreaterThan(Date.now())
  expect(seen.leases).toHaveLength(2)
  expect(seen.health?.memoryTotalBytes).toBeGreaterThan(100e6)
  expect(seen.health?.cpuPercent).toBeGreaterThanOrEqual(0)
})

test('the switch: a client on its port, eight ports with their VLANs, links as they are', async () => {
  await lab.in('c1', ['ping', '-c', '1', '-W', '2', '10.77.0.1'])
  const seen = await read('sw1')
  expect(seen.hosts?.find(host => host.mac === c1)).toMatchObject({ port: 'p3' })
  expect(seen.hosts?.find(host => host.mac === '02:00:5e:10:00:01')).toMatchObject({ port: 'p1' })
  expect(seen.ports?.map(port => port.label)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'])
  expect(seen.interfaces?.find(one => one.name === 'p5')).toMatchObject({ adminUp: true, up: false })
  expect(seen.interfaces?.find(one => one.name === 'p3')).toMatchObject({ up: true, speed: 10_000_000_000 })
  expect(seen.poe).toBeUndefined()
})

test('the cheap reading and the full one tell the same radios', async () => {
  for (const device of ['gw', 'sw1', 'ap1'] as const) {
    const [cheap, full] = await on(device, async session => [
      await driver.observe(session, 'counters'),
      await driver.observe(session, 'full'),
    ])
    expect(cheap?.radios).toEqual(full?.radios)
    expect(cheap?.radios?.map(radio => radio.key)).toEqual(device === 'ap1' ? ['wlan0'] : undefined)
  }
})

test('counters grow by what a client sends', async () => {
  const octets = async () => {
    const { interfaces } = await on('sw1', session => driver.observe(session, 'counters'))
    return interfaces?.find(one => one.name === 'p3')?.counters?.inOctets ?? Number.NaN
  }
  const before = await octets()
  await lab.in('c1', ['ping', '-c', '5', '-i', '0.1', '-s', '1000', '10.77.0.1'])
  expect((await octets()) - before).toBeGreaterThan(5_000)
})

test('LLDP: the switch sees the gateway and the access point, both see it', async () => {
  const names = async (device: 'gw' | 'sw1' | 'ap1') =>
    (await read(device)).neighbours?.map(one => [one.localPort, one.systemName]).sort()
  // A device that has just started hears of the others with their next word, after 30 s at most.
  const slow = { everyMs: 1_000 }
  await until(async () => (await names('sw1'))?.length === 2, slow)
  expect(await names('sw1')).toEqual([
    ['p1', 'gw'],
    ['p2', 'ap1'],
  ])
  await until(async () => (await names('gw'))?.length === 1, slow)
  expect(await names('gw')).toEqual([['eth1', 'sw1']])
  const neighbour = await until(async () => (await read('ap1')).neighbours?.[0], slow)
  expect(neighbour).toMatchObject({
    localPort: 'eth0',
    systemName: 'sw1',
    portId: 'p2',
    managementAddress: '10.77.0.2',
  })
})

test('a daemon that is down is a problem of its part, and the rest stands', async () => {
  await lab.sh('gw', 'systemctl stop lldpd')
  const seen = await read('gw')
  await lab.sh('gw', 'systemctl start lldpd')
  expect(seen.neighbours).toBeUndefined()
  expect(seen.problems).toEqual([{ part: 'neighbours', reason: 'commandFailed' }])
  expect(seen.leases).toHaveLength(2)
})

test('an account that is not root reads what it may, and says that it cannot change anything', async () => {
  await lab.sh('gw', 'id guest 2>/dev/null || useradd -m -s /bin/bash guest; echo guest:guest-Pass1 | chpasswd')
  const { address, port, hostKey } = await target('gw')
  const credential = { type: 'ssh' as const, user: 'guest', password: 'guest-Pass1' }
  const session = await driver.connect({ address, port, hostKey, credential }, never)
  const facts = await driver.facts(session)
  driver.close(session)
  expect(facts.hostname).toBe('gw')
  expect(facts.capabilities).not.toContain('root')
  await lab.sh('gw', 'userdel -r guest')
})

test('setting a key and a password: the old password is refused, both new ones are taken', async () => {
  const { credentials } = await lab.up()
  const known = await target('ap1')
  const pair = newKeyPair('lanward')
  await on('ap1', async session => {
    await driver.actions.setLogin?.(session, { publicKey: pair.public, password: "new 'Pass' $(id)" })
    await driver.actions.setLogin?.(session, { publicKey: pair.public })
  })
  const login = async (secret: { password?: string; privateKey?: string }) => {
    const session = await connectSsh({ ...known, credential: { type: 'ssh', user: 'root', ...secret } }, never)
    session.close()
    return session.method
  }
  expect(await login({ password: "new 'Pass' $(id)" })).toBe('password')
  expect(await login({ privateKey: pair.private })).toBe('publickey')
  await expect(login({ password: credentials.ssh.password })).rejects.toMatchObject({ reason: 'credentials' })
  const keys = await lab.sh('ap1', 'grep -c lanward /root/.ssh/authorized_keys')
  expect(keys.stdout.trim()).toBe('1')
  await lab.reset('ap1')
})

test('rebooted by the driver, and a device without LEDs says so', async () => {
  const since = Date.now()
  await on('ap1', async session => {
    await expect(driver.actions.locate?.(session, 5)).rejects.toMatchObject({ reason: 'unsupported' })
    await driver.actions.reboot?.(session)
    await until(() => session.ssh.closed)
  })
  const { uptimeSeconds } = await until(() => on('ap1', session => driver.observe(session, 'counters')))
  expect(uptimeSeconds).toBeLessThanOrEqual((Date.now() - since) / 1000)
})

test('a system with nothing but busybox is read as far as it goes', async () => {
  await lab.sh(
    'sw1',
    `mkdir -p /tmp/bb && cd /tmp/bb && mkdir -p bin proc sys etc tmp dev && cp /bin/busybox bin/
    ldd /bin/busybox | grep -o '/[^ ]*' | while read -r lib; do mkdir -p ".\${lib%/*}"; cp "$lib" ".$lib"; done
    for name in $(bin/busybox --list); do [ -e bin/$name ] || ln -s busybox bin/$name; done
    mount -t proc proc proc; mount --rbind /sys sys; : >dev/null; echo 'ID=tiny' >etc/os-release`,
  )
  const seen = await on('sw1', session => {
    session.become = 'chroot /tmp/bb '
    return driver.observe(session, 'full')
  })
  await lab.reset('sw1')
  expect(seen.facts).toMatchObject({ hostname: 'sw1' })
  // Whether the kernel has VLANs, and which time zones there are, is this machine's.
  expect(seen.facts?.capabilities.filter(one => !/^no(Vlan|Zone:)/.test(one))).toEqual(['root'])
  expect(seen.interfaces?.find(one => one.name === 'p3')).toMatchObject({
    up: true,
    type: 'ethernet',
    counters: { bits: 64 },
  })
  expect(seen.interfaces?.find(one => one.name === 'br0')?.addresses).toContain('10.77.0.2/22')
  expect(seen.hosts?.map(host => host.address)).toContain('10.77.0.10')
  expect(seen.health?.memoryTotalBytes).toBeGreaterThan(100e6)
  // What no tool tells is absent, not empty.
  expect(seen.neighbours).toBeUndefined()
  expect(seen.leases).toBeUndefined()
  expect(seen.radios).toBeUndefined()
  expect(seen.problems).toBeUndefined()
})
