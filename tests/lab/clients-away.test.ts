// Who is let in again while a device is away is so there once it is back.
import { ap, begin, c1, end, one, table } from './_clients-at-once'
import { reaches } from './_firewall'
import { lab, until } from './_lab'

beforeAll(begin)
afterAll(end)

test('a device that is away is named, and gets the list by itself once it is back', async () => {
  expect(await one.ok('clients/block', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  // A connection that is open would be known to be lost by its keepalives alone, half a minute later.
  await lab.sh('ap1', "pkill -f '^sshd: root'")
  await lab.cut('ap1')
  try {
    await until(
      async () =>
        !(await one.known(ap).then(
          () => true,
          () => false,
        )),
    )
    const { waits, here } = (await one.ok('clients/unblock', { macs: [c1] })) as { here: number; waits: object[] }
    expect(here).toBe(1)
    expect(waits).toMatchObject([{ deviceId: ap, name: 'ap1' }])
    await reaches('c1')
    expect(await one.changes()).toMatchObject({ devices: [{ deviceId: ap }] })
  } finally {
    await lab.join('ap1')
  }
  await until(() => one.known(ap).then(() => true))
  await until(async () => (await table('ap1', 'bridge')) === '')
  await until(async () => (await one.changes()).total === 0)
})
