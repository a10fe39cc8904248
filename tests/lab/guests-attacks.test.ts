// Ways past the guests' gate on a real gateway that need no sign-in: DNS, ICMP, IPv6 and borrowed addresses. c1 is in and shows
// that each way exists; c2 is a stranger.
import { askPrefix, type Client, curl, isIn, isLed, prefixOf } from './_guests'
import { lab, until } from './_lab'
import { admit, apply, begin, end, guests, openAddress } from './_linux-guests'

const four = '203.0.113.1'
const six = '2001:db8:f::1'
const udpPorts = [53, 123, 443, 51_820]
const tcpPorts = [53, 443, 853]

/** Answers whoever says something, by IPv4 and IPv6. */
const responder = `
use IO::Socket::IP; use IO::Select;
my $all = IO::Select->new;
for my $host ('0.0.0.0', '::') {
  for my $port (@UDP) { $all->add(IO::Socket::IP->new(LocalHost => $host, LocalPort => $port, Proto => 'udp', V6Only => 1) || die "$host $port: $@") }
  for my $port (@TCP) { $all->add(IO::Socket::IP->new(LocalHost => $host, LocalPort => $port, Proto => 'tcp', Listen => 9, ReuseAddr => 1, V6Only => 1) || die "$host $port: $@") }
}
open my $ready, '>', '/run/responds'; close $ready;
while (my @ready = $all->can_read) {
  for my $one (@ready) {
    if ($one->socktype == SOCK_STREAM) { my $peer = $one->accept or next; print $peer "hello\\n"; close $peer }
    else { my $from = $one->recv(my $text, 2000); $one->send("hello $text", 0, $from) }
  }
}`
/** Ends with 0 where something came back. */
const asker = `use IO::Socket::IP; alarm 4; my ($proto, $host, $port) = @ARGV;
my $s = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port, Proto => $proto) or exit 1;
$s->send('x') if $proto eq 'udp'; $s->recv(my $text, 100); exit(length $text ? 0 : 1)`

const succeeds = async (client: Client, command: string[]) => (await lab.in(client, command)).code === 0
const answered = (client: Client, proto: 'udp' | 'tcp', host: string, port: number) =>
  succeeds(client, ['perl', '-e', asker, proto, host, String(port)])
const pings = (client: Client, ...words: string[]) => succeeds(client, ['ping', '-c', '1', '-W', '2', ...words])

type Way = [name: string, by: (client: Client) => Promise<boolean>]
const ports: Way[] = [four, six].flatMap(host => [
  ...udpPorts.map((port): Way => [`UDP ${port} of ${host}`, client => answered(client, 'udp', host, port)]),
  ...tcpPorts.map((port): Way => [`TCP ${port} of ${host}`, client => answered(client, 'tcp', host, port)]),
])
const echoes: Way[] = [
  ['ICMP', client => pings(client, four)],
  ['ICMP with as much as a packet holds', client => pings(client, '-s', '1400', four)],
  ['ICMPv6', client => pings(client, '-6', six)],
]
const ways = [...ports, ...echoes]

const addressOf = async (client: Client, family: 4 | 6): Promise<string> => {
  const { stdout } = await lab.sh(client, `ip -${family} -o addr show dev eth0 scope global`)
  return /inet6? ([\da-f.:]+)\//.exec(stdout)?.[1] ?? ''
}

beforeAll(async () => {
  await begin()
  const lists = `my @UDP = (${udpPorts}); my @TCP = (${tcpPorts});`
  await lab.in('inet', ['sh', '-c', 'cat >/run/responder.pl'], { input: `${lists}${responder}` })
  await lab.sh('inet', 'rm -f /run/responds; setsid perl /run/responder.pl >/run/responder.log 2>&1 </dev/null &')
  await until(async () => (await lab.sh('inet', 'test -e /run/responds')).code === 0)
  for (const client of ['c1', 'c2'] as const) await askPrefix(client)
  const prefix = await until(() => prefixOf('c1'))
  await until(() => prefixOf('c2'))
  await lab.sh('inet', `ip -6 route replace ${prefix}::/64 via 2001:db8:f::2`)
})
afterAll(end)

describe.each([
  ['shut', []],
  ['with a destination open before sign-in', [`${openAddress}/32`]],
] as const)('the gate %s', (state, walledGarden) => {
  beforeAll(async () => {
    await apply([guests({ walledGarden: [...walledGarden] })])
    await admit('c1')
    await until(() => isIn('c1'))
  })

  test.each(ways)('no way past it by %s', async (_, by) => {
    expect([await by('c1'), await by('c2')]).toEqual([true, false])
  })

  test('what is open is open by its own address alone', async () => {
    const open = state !== 'shut'
    expect(await isIn('c2', `http://${openAddress}/`)).toBe(open)
    expect(await pings('c2', openAddress)).toBe(open)
    expect(await isIn('c2')).toBe(false)
    // Asked for by that name, at another address.
    expect((await curl('c2', '-H', `Host: ${openAddress}`, `http://${four}/`)).stdout).not.toContain('the lab')
  })

  test('the gateway itself answers a stranger names, and nothing else: no echo, no login, no other name server of its', async () => {
    const gateway6 = (await lab.sh('gw', 'ip -6 -o addr show dev lan20 scope link')).stdout.match(/inet6 (\S+)\//)?.[1]
    expect(await pings('c2', '192.168.20.1')).toBe(false)
    expect(await pings('c2', '-6', `${gateway6}%eth0`)).toBe(false)
    for (const address of ['10.77.0.1', '203.0.113.2']) expect(await pings('c2', address)).toBe(false)
    expect(await succeeds('c2', ['busybox', 'nc', '-w', '2', '10.77.0.1', '22'])).toBe(false)
    expect((await lab.sh('c2', 'busybox nslookup www.internet.test 192.168.20.1')).stdout).toContain(four)
  })

  test('nobody on the internet begins anything with who is in, or is not', async () => {
    for (const client of ['c1', 'c2'] as const) {
      const address = await addressOf(client, 6)
      expect(address).not.toBe('')
      expect((await lab.sh('inet', `ping -6 -c 1 -W 2 ${address}`)).code).not.toBe(0)
    }
  })

  test('a stranger with the addresses of who is in is a stranger still', async () => {
    for (const [family, to] of [
      [4, `http://${four}/`],
      [6, `http://[${six}]/`],
    ] as const) {
      const borrowed = await addressOf('c1', family)
      const length = family === 4 ? 24 : 64
      await lab.sh('c2', `ip addr add ${borrowed}/${length} dev eth0 ${family === 6 ? 'nodad' : ''}`)
      const { stdout } = await curl('c2', '--interface', borrowed, '-m', '4', to)
      await lab.sh('c2', `ip addr del ${borrowed}/${length} dev eth0`)
      expect(stdout).not.toContain('the internet of the lab')
    }
    // Who has them is found by them again.
    await until(() => isIn('c1'))
    expect(await isLed('c2')).toBe(true)
  })
})

test('names carry a page’s worth of questions, and no more', async () => {
  // One query for www.internet.test, again and again, and what came back of 3,000.
  const flood = `use IO::Socket::IP; my $s = IO::Socket::IP->new(PeerHost => '192.168.20.1', PeerPort => 53, Proto => 'udp');
my $came = 0; my $query = pack('H*', '01000001000000000000') . "\\x03www\\x08internet\\x04test\\x00" . pack('nn', 1, 1);
$s->blocking(0);
for my $id (1 .. 3000) { $s->send(pack('n', $id) . $query); while (defined $s->recv(my $text, 600)) { $came++ } }
my $end = time + 3; while (time < $end) { if (defined $s->recv(my $text, 600)) { $came++ } else { select undef, undef, undef, 0.01 } }
print $came`
  const came = Number((await lab.in('c2', ['perl', '-e', flood], { timeoutMs: 120_000 })).stdout)
  expect(came).toBeGreaterThan(50)
  expect(came).toBeLessThan(1500)
})
