// What an OpenWrt gateway does while the manager does not answer: as tests/lab/away.test.ts, by busybox alone.
import type { AwayList } from '@/server/drivers/guests'
import { awayLine, listHash, slowHash } from '@/server/guests/vouchers/away-list'
import { isIn, isLed, macs, page } from './_guests'
import { lab, until } from './_lab'
import { admit, apply, begin, end, gateOf, guestLan, guests, on, server } from './_openwrt-guests'
import { enterHere } from './_portal'

const keys = ['aa', 'bb'] as const
const codes = { good: '222222222', over: '22222223X' }
const form = '<form method="get" action="http://192.168.20.1:19543/"><input name="code" value="@lw-code@">'
const say = { unavailable: 'It does not exist', usedUp: 'Nothing is left', mistyped: 'No code', devicesFull: 'Full' }
const pages = [
  { lan: guestLan, entry: `Code? ${form}`, wrong: `@lw-wrong@ ${form}`, online: 'Left @lw-hours@:@lw-minutes@', say },
]

async function line(code: string, voucher: number, seconds: number): Promise<string> {
  const slow = await slowHash(keys[0], code)
  const use = { seconds, runs: false, bytes: 50_000_000, devices: '' }
  const until = Math.floor(Date.now() / 1000) + 86_400
  return awayLine(keys[1], { slow, voucher, terms: '', use, per: 'v', most: 1, down: 8000, up: null, until })
}
const awayOf = () => {
  const found = gateOf().away
  if (!found) throw new Error('lets nobody in by itself')
  return found
}
async function put(more: Partial<AwayList> = {}): Promise<void> {
  const lines = [await line(codes.good, 7, 3600), await line(codes.over, 8, 0)]
  const made = Math.floor(Date.now() / 1000)
  const text = [`lanward 1 ${'0'.repeat(64)} ${made}`, `p ${guestLan} - - 0`, ...lines, ''].join('\n')
  await on(session => awayOf().put(session, { digest: '0'.repeat(64), text, keys, pages, merged: [], ...more }))
}
const read = () => on(session => awayOf().read(session))

beforeAll(begin)
afterAll(end)

test('while the manager answers, guests are led to it; then the gateway shows its page', async () => {
  expect(listHash(...keys)).toMatch(/^[0-9a-f]{64}$/)
  await put()
  expect(await read()).toEqual({ digest: '0'.repeat(64), uses: [] })
  await until(() => isLed('c1'))
  await admit('c2')
  await until(() => isIn('c2'))
  server.closeAllConnections()
  await new Promise<void>(done => server.close(() => done()))
  await until(async () => (await page('c1')).includes('Code?'))
  expect(await isIn('c2')).toBe(true)
})

test('a voucher of its list opens, a wrong one and a used-up one do not; its use is told until it is known', async () => {
  expect(await enterHere('c1', '222-222-223')).toContain('No code')
  expect(await enterHere('c1', codes.over)).toContain('Nothing is left')
  expect(await isIn('c1')).toBe(false)
  expect(await enterHere('c1', '222-222-222')).toContain('Left 1:0')
  await until(() => isIn('c1'))
  const { uses } = await read()
  expect(uses).toMatchObject([{ mac: macs.c1, voucher: 7, lan: guestLan, seconds: 3600 }])
  expect(uses[0]?.address).toMatch(/^192\.168\.20\.1\d\d$/)
  expect((await lab.sh('gw', 'nft list set inet lanward_gate over_down')).stdout).toContain('limit rate over')
})

test('a restart keeps who is in, and what was used', async () => {
  await lab.reboot('gw')
  await until(() => isIn('c1'))
  await until(() => isIn('c2'))
  expect((await read()).uses).toHaveLength(1)
  await lab.sh('gw', 'nft flush set inet lanward_gate in')
  await until(async () => (await page('c2')).includes('Code?'))
  expect(await enterHere('c2', codes.good)).toContain('Full')
  const [use] = (await read()).uses
  await put({ merged: use ? [use] : [] })
  expect((await read()).uses).toEqual([])
})

test('nothing of it stays once no network has a portal', async () => {
  await apply([guests({ portal: undefined })])
  expect((await lab.sh('gw', 'ls /etc/lanward/away')).code).not.toBe(0)
})
