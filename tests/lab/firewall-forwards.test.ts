import { apply, begin, c1, document, end, get, hits, outside, reaches } from './_firewall'
import { lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

describe('a port forward', () => {
  const forward = (more: Record<string, unknown> = {}) =>
    document('portForward', 'server', { ports: '8080', address: c1, innerPort: 8000, ...more })
  const url = `http://${outside}:8080/`
  const letForwardsThrough = () =>
    lab.in('gw', ['nft', 'insert', 'rule', 'inet', 'filter', 'forward', 'ct', 'status', 'dnat', 'accept'])

  beforeAll(async () => {
    await lab.sh('c1', 'mkdir -p /tmp/www; echo inside >/tmp/www/index.html; busybox httpd -p 8000 -h /tmp/www')
    await reaches('c1', 'http://127.0.0.1:8000/')
  })

  test('reaches the server inside, and nothing else; what the own firewall stops is named', async () => {
    expect(await apply('gw', forward())).toEqual(['unmanagedFirewall'])
    expect(await get('inet', url)).toBe(28)
    await letForwardsThrough()
    expect(await apply('gw', forward())).toEqual([])
    await until(async () => (await lab.in('inet', ['curl', '-s', '-m', '5', url])).stdout === 'inside\n')
    expect(await hits('server')).toBeGreaterThan(0)
    for (const port of [8000, 8081, 80]) expect(await get('inet', `http://${outside}:${port}/`)).not.toBe(0)
  })

  test('is reached from inside by the outer address, and the gateway’s inner one stays its own', async () => {
    await apply('gw', forward())
    for (const client of ['c1', 'c2'] as const)
      await until(async () => (await lab.in(client, ['curl', '-s', '-m', '5', url])).stdout === 'inside\n')
    expect(await get('c2', 'http://10.77.0.1:8080/')).not.toBe(0)
  })

  test('lets in only whom it names, and ends with its removal', async () => {
    await apply('gw', forward({ sources: ['203.0.113.1'] }))
    await reaches('inet', url)
    expect(await get('inet', url, '--interface', '192.88.99.7')).toBe(28)
    await apply('gw', forward({ sources: ['192.88.99.0/24'] }))
    await reaches('inet', url, '--interface', '192.88.99.7')
    await apply('gw')
    expect(await get('inet', url)).toBe(28)
  })
})
