import { rulesFile } from '@/server/drivers/linux/firewall/firewall'
import { apply, begin, end, get, hits, noWeb, reaches, rule, ruleset } from './_firewall'
import { lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

test('a rule blocks exactly what it says, and its removal lets it through', async () => {
  expect(await apply('gw', noWeb('no-web'))).toEqual([])
  expect(await get('c1')).toBe(28)
  expect(await hits('no-web')).toBeGreaterThan(0)
  await reaches('c2')
  await until(async () => (await lab.in('c1', ['ping', '-c', '1', '-W', '2', '203.0.113.1'])).code === 0)
  await apply('gw')
  expect(await ruleset()).toBe('')
  await reaches('c1')
  expect((await lab.sh('gw', `ls ${rulesFile.path} /etc/systemd/system/*/lanward-firewall*`)).stdout).toBe('')
})

test('the order of the rules counts', async () => {
  await apply('gw', noWeb('first', { action: 'allow' }), noWeb('second'))
  await reaches('c1')
  expect(await hits('first')).toBeGreaterThan(0)
  await apply('gw', noWeb('second'), noWeb('first', { action: 'allow' }))
  expect(await get('c1')).toBe(28)
})

test('a refusal is told at once, and MAC, port and direction have to fit', async () => {
  await apply(
    'gw',
    noWeb('other-port', { ports: '8080' }),
    noWeb('other-way', { from: 'wan', to: 'lan' }),
    rule('mac', { protocol: 'tcp', ports: '1-80', macs: ['02-00-5E-10-00-C1'], action: 'reject' }),
  )
  await until(async () => (await get('c1')) === 7)
  await reaches('c2')
  expect([await hits('other-port'), await hits('other-way')]).toEqual([0, 0])
})

/** The test's control and its data connection. */
const opened = async () => (await lab.sh('c1', 'ss -Htn state established | grep -c :5201')).stdout.trim() === '2'

test('a connection that is open when its rule comes is cut, and answers to others are let in', async () => {
  await apply('gw', rule('in', { from: 'wan', to: 'lan' }))
  await reaches('c1')
  await lab.sh('inet', 'iperf3 -s -D -1 -p 5201')
  const download = lab.in('c1', ['iperf3', '-c', '203.0.113.1', '-t', '60', '-b', '1M', '--rcv-timeout', '4000', '-R'])
  await until(opened)
  await apply('gw', rule('cut', { protocol: 'tcp', ports: '5201' }))
  expect((await download).code).not.toBe(0)
  expect(await hits('cut')).toBeGreaterThan(0)
})
