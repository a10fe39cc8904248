import { type Device, type LabStatus, lab, run, until } from './_lab'

const managed = ['gw', 'sw1', 'ap1'] as const
const sshOptions = [
  '-q',
  '-o',
  'StrictHostKeyChecking=no',
  '-o',
  'UserKnownHostsFile=/dev/null',
  '-o',
  'ConnectTimeout=60',
]
const ifAdminStatus = '.1.3.6.1.2.1.2.2.1.7'
const poeAdmin = '.1.3.6.1.2.1.105.1.1.1.3.1'
const poeDetection = '.1.3.6.1.2.1.105.1.1.1.6.1'
const pvid = '.1.3.6.1.2.1.17.7.1.4.5.1.1'
const staticVlan = '.1.3.6.1.2.1.17.7.1.4.3.1'
const lldpRemoteName = '.1.0.8802.1.1.2.1.4.1.1.9'
const sysName = '.1.3.6.1.2.1.1.5.0'

let status: LabStatus
const address = (device: Device) => status.addresses[device as 'gw']

/** Lines of the net-snmp tool's numeric output. */
async function snmp(tool: 'snmpget' | 'snmpbulkwalk' | 'snmpset', device: Device, ...args: string[]): Promise<string> {
  const { read, write } = status.credentials.snmp
  const community = tool === 'snmpset' ? write : read
  const ran = await lab.tool(tool, '-v2c', '-c', community, '-t', '2', '-On', '-Oe', address(device), ...args)
  if (ran.code !== 0) throw new Error(ran.stderr || ran.stdout)
  return ran.stdout
}
const reaches = async (from: Device, to: string) => (await lab.in(from, ['ping', '-c1', '-W1', to])).code === 0
const answers = async (device: Device) =>
  (await lab.tool('snmpget', '-v2c', '-c', 'public', '-t', '1', '-r', '0', address(device), sysName)).code === 0
/** Without what a newer ssh-keyscan says beside it. */
const hostKey = async (device: Device) =>
  /ssh-ed25519 (\S+)/.exec((await lab.tool('ssh-keyscan', '-t', 'ed25519', address(device))).stdout)?.[1]
const portIndex = async (port: string) => (await lab.in('sw1', ['cat', `/sys/class/net/${port}/ifindex`])).stdout.trim()

beforeAll(async () => {
  status = await lab.up()
})

describe('access', () => {
  it.each(managed)('%s takes root by password over SSH', async device => {
    const { user, password } = status.credentials.ssh
    const ssh = ['ssh', ...sshOptions, '-o', 'PubkeyAuthentication=no', `${user}@${address(device)}`, 'hostname']
    expect((await lab.tool('sshpass', '-p', password, ...ssh)).stdout.trim()).toBe(device)
    expect((await lab.tool('sshpass', '-p', 'wrong', ...ssh)).code).not.toBe(0)
  })

  it.each(managed)('%s takes root by key over SSH', async device => {
    const key = ['-i', '/mnt/id_ed25519', '-o', 'PasswordAuthentication=no']
    const ran = await lab.tool('ssh', ...sshOptions, ...key, `root@${address(device)}`, 'hostname')
    expect(ran.stdout.trim()).toBe(device)
  })

  it.each(managed)('%s has a host key of its own', async device => {
    const others = managed.filter(other => other !== device)
    const own = await hostKey(device)
    expect(own).toMatch(/^AAAA/)
    for (const other of others) expect(await hostKey(other)).not.toBe(own)
  })

  it.each(managed)('%s answers SNMP v2c, and not to another community', async device => {
    expect(await snmp('snmpget', device, sysName)).toContain(`"${device}"`)
    const wrong = await lab.tool('snmpget', '-v2c', '-c', 'guess', '-t', '0.5', '-r', '0', address(device), sysName)
    expect(wrong.code).not.toBe(0)
  })

  it.each(managed)('%s answers SNMP v3 with authentication and privacy', async device => {
    const { user, authPassword, privPassword } = status.credentials.snmpV3
    const ask = (password: string) =>
      lab.tool(
        ...['snmpget', '-v3', '-t', '2', '-u', user, '-l', 'authPriv', '-a', 'SHA', '-A', password],
        ...['-x', 'AES', '-X', privPassword, address(device), sysName],
      )
    expect((await ask(authPassword)).stdout).toContain(`"${device}"`)
    expect((await ask('not-the-pass')).code).not.toBe(0)
  })
})

describe('the site', () => {
  it('gives both clients a lease, one of them a fixed address', async () => {
    const leases = (await lab.in('gw', ['cat', '/var/lib/misc/dnsmasq.leases'])).stdout
    expect(leases).toMatch(/02:00:5e:10:00:c1 10\.77\.2\.101 /)
    expect(leases).toMatch(/02:00:5e:10:00:c2 10\.77\.2\.1\d\d /)
  })

  it('lets clients out through the gateway, translated, and resolves names', async () => {
    const page = await lab.in('c1', ['busybox', 'wget', '-q', '-O', '-', 'http://203.0.113.1/'])
    expect(page.stdout).toContain('the internet of the lab')
    const name = await lab.in('c1', ['busybox', 'nslookup', 'www.internet.test', '10.77.0.1'])
    expect(name.stdout).toContain('203.0.113.1')
    expect(await reaches('inet', '10.77.2.101')).toBe(false)
  })

  it('has each device behind one MAC address', async () => {
    for (const device of managed) {
      const asked = await lab.tool('busybox', 'arping', '-c', '3', '-I', 'eth0', address(device))
      expect([device, new Set(asked.stdout.match(/\[[\da-f:]{17}\]/gi)).size]).toEqual([device, 1])
    }
  })

  it('carries TCP through the switch at more than 20 Mbit/s', async () => {
    await lab.sh('gw', 'iperf3 -s -D -I /run/iperf3.pid -B 10.77.0.1')
    await until(async () => {
      const { code, stdout } = await lab.in('c1', ['iperf3', '-c', '10.77.0.1', '-t', '1', '-J'])
      return code === 0 && JSON.parse(stdout).end.sum_received.bits_per_second > 20e6
    })
    await lab.sh('gw', 'kill "$(cat /run/iperf3.pid)"')
  })

  it('shows neighbours in LLDP-MIB on all three', async () => {
    const names = async (device: Device): Promise<string[]> =>
      (await snmp('snmpbulkwalk', device, lldpRemoteName)).match(/"[^"]+"/g) ?? []
    await until(async () => (await names('sw1')).includes('"gw"') && (await names('sw1')).includes('"ap1"'))
    await until(async () => (await names('gw')).join() === '"sw1"')
    await until(async () => (await names('ap1')).join() === '"sw1"')
  })

  it('has an access point as Debian leaves it: hostapd there, not running, no radio configured', async () => {
    expect((await lab.sh('ap1', 'command -v hostapd hostapd_cli iw')).code).toBe(0)
    expect((await lab.in('ap1', ['systemctl', 'is-active', 'hostapd'])).stdout.trim()).toBe('inactive')
    expect((await lab.sh('ap1', 'ls /etc/hostapd/*.conf')).code).not.toBe(0)
    expect((await lab.in('ap1', ['ip', '-br', 'addr', 'show', 'br-lan'])).stdout).toContain('10.77.0.3/22')
  })

  it('boots its Debians without a failed unit', async () => {
    for (const device of ['gw', 'ap1'] as const) {
      const state = async () => (await lab.in(device, ['systemctl', 'is-system-running'])).stdout.trim()
      await until(async () => ['running', 'degraded'].includes(await state()))
      expect((await lab.in(device, ['systemctl', 'list-units', '--failed', '--no-legend'])).stdout).toBe('')
    }
  })

  it('keeps the processes of one Debian out of the control groups of the other', async () => {
    const list = (base: string) => `cat ${base}/system.slice/snmpd.service/cgroup.procs 2>/dev/null`
    for (const device of ['gw', 'ap1'] as const) {
      const main = (await lab.in(device, ['systemctl', 'show', '--value', '-p', 'MainPID', 'snmpd'])).stdout
      // A process of another pid namespace would be listed as 0.
      const members = await lab.sh(device, `${list('/sys/fs/cgroup/unified')} || ${list('/sys/fs/cgroup')}`)
      expect(members.stdout).toBe(main)
    }
  })

  it('runs hostapd without a radio', async () => {
    const conf =
      'interface=wlan0\\nbridge=br-lan\\ndriver=none\\nctrl_interface=/run/hostapd\\nssid=Try\\nhw_mode=g\\nchannel=1\\n'
    await lab.sh('ap1', `printf '${conf}' >/run/try.conf; hostapd -B -P /run/try.pid /run/try.conf`)
    const seen = await until(async () => {
      const { stdout } = await lab.sh('ap1', 'hostapd_cli -i wlan0 status')
      return stdout.includes('state=ENABLED') && stdout
    })
    await lab.sh('ap1', 'kill "$(cat /run/try.pid)"')
    expect(seen).toContain('ssid[0]=Try')
  })
})

describe('the switch', () => {
  it('learns addresses on their ports', async () => {
    const learned = [
      /\.1\.2\.0\.94\.16\.0\.193 = INTEGER: 3\n/,
      /\.1\.2\.0\.94\.16\.0\.1 = INTEGER: 1\n/,
      /\.1\.2\.0\.94\.16\.0\.10 = INTEGER: 8\n/,
    ]
    await until(async () => {
      await reaches('c1', '10.77.0.1')
      const table = await snmp('snmpbulkwalk', 'sw1', '.1.3.6.1.2.1.17.7.1.2.2.1.2')
      if (!learned.every(row => row.test(table))) throw new Error(table)
      return true
    })
  })

  it('takes PoE off a port and gives it back', async () => {
    const detection = () => snmp('snmpget', 'sw1', `${poeDetection}.2`)
    expect(await detection()).toContain('INTEGER: 3')
    await snmp('snmpset', 'sw1', `${poeAdmin}.2`, 'i', '2')
    expect(await detection()).toContain('INTEGER: 1')
    await snmp('snmpset', 'sw1', `${poeAdmin}.2`, 'i', '1')
    expect(await detection()).toContain('INTEGER: 3')
  })

  it('takes a port down for real by ifAdminStatus', async () => {
    const index = await portIndex('p3')
    const link = async () => (await lab.in('c1', ['cat', '/sys/class/net/eth0/carrier'])).stdout.trim()
    expect(await link()).toBe('1')
    await snmp('snmpset', 'sw1', `${ifAdminStatus}.${index}`, 'i', '2')
    await until(async () => (await link()) === '0')
    await snmp('snmpset', 'sw1', `${ifAdminStatus}.${index}`, 'i', '1')
    await until(async () => (await link()) === '1')
    await until(() => reaches('c1', '10.77.0.1'))
  })

  it('moves a port to another VLAN by Q-BRIDGE, and back', async () => {
    await until(() => reaches('c1', '10.77.0.1'))
    await expect(snmp('snmpset', 'sw1', `${pvid}.3`, 'u', '20')).rejects.toThrow(/inconsistent/i)
    await snmp('snmpset', 'sw1', `${staticVlan}.5.20`, 'i', '4', `${staticVlan}.1.20`, 's', 'Guests')
    for (const [column, bits] of [
      ['2.20', '20'],
      ['4.20', '20'],
      ['2.1', 'DF'],
      ['4.1', 'DF'],
    ] as const)
      await snmp('snmpset', 'sw1', `${staticVlan}.${column}`, 'x', bits)
    await snmp('snmpset', 'sw1', `${pvid}.3`, 'u', '20')
    expect(await snmp('snmpget', 'sw1', `${staticVlan}.1.20`)).toContain('"Guests"')
    expect(await reaches('c1', '10.77.0.1')).toBe(false)
    await snmp('snmpset', 'sw1', `${staticVlan}.2.1`, 'x', 'FF', `${staticVlan}.4.1`, 'x', 'FF', `${pvid}.3`, 'u', '1')
    await snmp('snmpset', 'sw1', `${staticVlan}.5.20`, 'i', '6')
    await until(() => reaches('c1', '10.77.0.1'))
    await expect(snmp('snmpset', 'sw1', `${staticVlan}.5.1`, 'i', '6')).rejects.toThrow(/inconsistent/i)
  })

  it('says what it is in ENTITY-MIB, with a port for each interface', async () => {
    const entity = await snmp('snmpbulkwalk', 'sw1', '.1.3.6.1.2.1.47')
    expect(entity).toContain('"LAB8P0000001"')
    expect(entity).toContain(`.103.0 = OID: .1.3.6.1.2.1.2.2.1.1.${await portIndex('p3')}\n`)
  })
})

describe('faults', () => {
  it('cuts a cable: both sides lose the link, neither is switched off, and it can be put back', async () => {
    const index = await portIndex('p2')
    await lab.cut('ap1')
    try {
      expect(await answers('ap1')).toBe(false)
      // snmpd keeps the table for some seconds.
      const states = () => snmp('snmpget', 'sw1', `${ifAdminStatus}.${index}`, `.1.3.6.1.2.1.2.2.1.8.${index}`)
      await until(async () => /\.7\.\d+ = INTEGER: 1\n.*\.8\.\d+ = INTEGER: 2\n/.test(await states()))
      expect((await lab.in('ap1', ['cat', '/sys/class/net/eth0/carrier'])).stdout.trim()).toBe('0')
    } finally {
      await lab.join('ap1')
    }
    await until(() => answers('ap1'))
  })

  it.each(['gw', 'sw1'] as const)('reboots %s: what is in /etc stays, what runs does not', async device => {
    await lab.sh(device, 'echo kept >/etc/marker; echo lost >/run/marker; ip link add temporary type ifb 2>/dev/null')
    await lab.reboot(device)
    expect((await lab.in(device, ['cat', '/etc/marker'])).stdout.trim()).toBe('kept')
    expect((await lab.sh(device, 'test -e /run/marker || test -e /sys/class/net/temporary')).code).toBe(1)
    await lab.in(device, ['rm', '/etc/marker'])
    await until(() => reaches('c1', '203.0.113.1'))
  })

  it('resets a device to its factory state, host key too', async () => {
    const before = await hostKey('ap1')
    await lab.sh('ap1', 'echo changed >/etc/marker')
    await lab.reset('ap1')
    expect((await lab.in('ap1', ['cat', '/etc/marker'])).code).not.toBe(0)
    expect(await hostKey('ap1')).not.toBe(before)
  })

  it('switches a device off and on', async () => {
    await lab.off('c2')
    expect((await lab.in('c2', ['true'])).code).toBe(125)
    await lab.on('c2')
    expect((await lab.in('c2', ['true'])).code).toBe(0)
  })
})

describe('isolation', () => {
  it('gives the manager no way out of the lab', async () => {
    const routes = (await run('ip', ['route', 'show'])).stdout.trim().split('\n')
    expect(routes.every(route => /^(10\.77\.0\.0\/22|198\.18\.\d+\.0\/30) /.test(route))).toBe(true)
    expect((await run('ip', ['-6', 'route', 'show', 'default'])).stdout).toBe('')
    for (const target of ['192.0.2.2', '198.51.100.1'])
      expect((await run('ping', ['-c1', '-W1', target])).code).not.toBe(0)
  })

  it("ends the devices' internet in the lab", async () => {
    await until(() => reaches('gw', '203.0.113.1'))
    expect((await lab.in('inet', ['ip', 'route', 'show', 'default'])).stdout).toBe('')
    expect(await reaches('gw', '198.51.100.1')).toBe(false)
  })
})
