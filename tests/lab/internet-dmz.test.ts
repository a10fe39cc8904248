// What comes in by a way to the internet that no port forward takes.
import { on, plan } from './_device'
import { apply, begin, end, first, one, route } from './_internet'
import { lab, until } from './_lab'

beforeAll(async () => {
  await begin()
  await lab.sh(
    'c1',
    `for port in 8000 8080 9000; do mkdir -p /tmp/$port; echo "on $port" >/tmp/$port/index.html; busybox httpd -p $port -h /tmp/$port; done`,
  )
})
afterAll(end)

const content = async (port: number) =>
  (await lab.in('inet', ['curl', '-s', '-m', '3', `http://${one}:${port}/`])).stdout.trim()
const comes = (port: number, wanted: string) => until(async () => (await content(port)) === wanted)
const open = { ...first, data: { ...first.data, dmzHost: '10.77.2.101' } }
const forward = route('portForward', { ports: '8080', address: '10.77.2.101', innerPort: 8000 })

test('what comes in goes to the DMZ host where no port forward takes it, and only while that is set', async () => {
  await on('gw', async session => {
    const codes = (await plan(session, [open])).warnings.map(warning => warning.code)
    expect(codes).toContain('dmzFiltered')
  })
  await lab.in('gw', ['nft', 'insert', 'rule', 'inet', 'filter', 'forward', 'ct', 'status', 'dnat', 'accept'])
  await apply([open, forward])
  await comes(9000, 'on 9000')
  await comes(8080, 'on 8000')
  await apply([open])
  await comes(8080, 'on 8080')
  // Pings are answered by the gateway itself.
  await lab.sh('c1', 'sysctl -qw net.ipv4.icmp_echo_ignore_all=1')
  expect((await lab.in('inet', ['ping', '-c', '1', '-W', '5', one])).code).toBe(0)
  await lab.sh('c1', 'sysctl -qw net.ipv4.icmp_echo_ignore_all=0')
  await apply([first])
  expect(await content(9000)).toBe('')
})
