import { apply, begin, end, get, reaches } from './_firewall'
import { type Device, lab } from './_lab'

beforeAll(begin)
afterAll(end)

describe('a blocked client', () => {
  const blocked = (until?: Date) => ({
    id: 'block',
    kind: 'blockedClient',
    name: '',
    data: { mac: '02-00-5E-10-00-C1', ...(until && { until: `${until.toJSON().slice(0, 19)}Z` }) },
  })
  const pings = async (client: Device) => (await lab.in(client, ['ping', '-c', '1', '-W', '2', '10.77.0.1'])).code === 0

  test('loses the net, the others keep it, and gets it back when it is taken off the list', async () => {
    await apply('gw', blocked())
    expect([await get('c1'), await pings('c1')]).toEqual([28, false])
    await reaches('c2')
    await apply('gw')
    await reaches('c1')
  })

  /** Blocks c1 for a while that is long enough for the change and a look; gives its end. */
  async function blockedForAWhile(ms = 10_000): Promise<number> {
    // Whole seconds, as they are told to the device.
    const end = Math.ceil((Date.now() + ms) / 1000) * 1000
    await apply('gw', blocked(new Date(end)))
    const reached = await pings('c1')
    if (Date.now() >= end) return blockedForAWhile(2 * ms)
    expect(reached).toBe(false)
    return end
  }

  test('gets it back when the time is up, without the manager', async () => {
    const end = await blockedForAWhile()
    await reaches('c1')
    expect(Date.now()).toBeGreaterThanOrEqual(end)
    expect((await lab.sh('gw', 'nft list table inet lanward_blocked')).stdout).toContain('02:00:5e:10:00:c1')
  })

  test('on a bridge, whose kernel takes the table too', async () => {
    await apply('ap1', blocked())
    expect((await lab.sh('ap1', 'nft list table bridge lanward_blocked')).stdout).toContain('02:00:5e:10:00:c1')
    await apply('ap1')
    expect((await lab.sh('ap1', 'nft list ruleset')).stdout).toBe('')
  })
})
