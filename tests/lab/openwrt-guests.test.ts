// The guests' gate as OpenWrt has it: the rules, busybox's shell, the sets of the kernel and what guests meet are real; uci,
// ubus, the firewall's loader and the web server stand in (tests/lab/openwrt), since they run nowhere but there.
import { createHash } from 'node:crypto'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { web } from './_firewall'
import { askPrefix, curl, isIn, isLed, location, long, macs, page, prefixOf } from './_guests'
import { lab, until } from './_lab'
import {
  admit,
  apply,
  begin,
  end,
  gate,
  gateOf,
  guestLan,
  guests,
  kept,
  key,
  list,
  on,
  remove,
  six,
  useOf,
} from './_openwrt-guests'

beforeAll(begin)
afterAll(end)

test('a stranger is led to the portal, with who it is, signed, whatever it asks for', async () => {
  const asked = await until(() => location('c1', `${web}a%20b?c=%22d%22&e='$(id)'`))
  const to = new URL(asked)
  expect(`${to.origin}${to.pathname}`).toBe(`${gate.url}/${guestLan}`)
  const { mac, ip, at, url, sig } = Object.fromEntries(to.searchParams)
  expect([mac, url]).toEqual([macs.c1, `${web}a%20b?c=%22d%22&e='$(id)'`])
  expect(ip).toMatch(/^192\.168\.20\.1\d\d$/)
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(sig).toBe(hash(key + hash(`${key}${guestLan} ${mac} ${ip} ${at}`)))
  expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(60)
  expect(await page('c1', asked)).toMatch(/^portal \/portal\//)
  expect((await curl('c1', '-L', web)).stdout).toMatch(/^portal /)
})

test('before that nothing passes but the portal and names: no https, no ping, no foreign DNS, no IPv6, no login', async () => {
  expect((await curl('c1', '-k', 'https://203.0.113.1/')).code).toBe(7)
  const fails = async (command: string) => (await lab.sh('c1', command)).code !== 0
  expect(await fails('ping -c 1 -W 1 203.0.113.1')).toBe(true)
  expect(await fails('ping -c 1 -W 1 192.168.20.1')).toBe(true)
  expect(await fails('timeout 3 busybox nslookup www.internet.test 203.0.113.1')).toBe(true)
  expect(await fails('busybox nc -w 2 192.168.20.1 22 </dev/null')).toBe(true)
  expect((await lab.sh('c1', 'busybox nslookup www.internet.test 192.168.20.1')).stdout).toContain('203.0.113.1')
  for (const client of ['c1', 'c2'] as const) await askPrefix(client)
  await until(() => prefixOf('c1'))
  expect(await isIn('c1', six)).toBe(false)
  expect(await fails('ping -6 -c 1 -W 1 2001:db8:f::1')).toBe(true)
})

test('who was let in is in, by IPv4 and IPv6, and nobody else; what it used and where it is is told', async () => {
  await admit('c1')
  await until(() => isIn('c1'))
  await until(() => isIn('c1', six))
  expect(await isLed('c2')).toBe(true)
  await until(() => prefixOf('c2'))
  expect(await isIn('c2', six)).toBe(false)
  const use = await until(() => useOf('c1'))
  expect(use.secondsLeft).toBeGreaterThan(3500)
  expect(use.bytes).toBeGreaterThan(200)
  expect(use.addresses).toContainEqual(expect.stringMatching(/^192\.168\.20\.1\d\d$/))
  expect(await list()).toHaveLength(1)
  expect((await lab.sh('c1', 'ping -c 1 -W 2 203.0.113.1')).code).toBe(0)
})

test('bytes end it, in both directions together; time does, and having sent nothing', async () => {
  await admit('c1', { bytes: 3_000_000 })
  const size = Number((await curl('c1', '-o', '/dev/null', '-w', '%{size_download}', `${web}big`)).stdout)
  expect(size).toBeGreaterThan(1_500_000)
  expect(size).toBeLessThan(3_000_000)
  await admit('c1', { seconds: 4 })
  await admit('c2', { idleSeconds: 4 })
  expect(await list()).toHaveLength(2)
  await until(async () => (await list()).length === 0)
  expect([await isLed('c1'), await isLed('c2')]).toEqual([true, true])
})

test('a removal cuts what is open', async () => {
  await admit('c1', { download: 8000 })
  await until(() => isIn('c1'))
  const download = long('c1', `curl -s -Y 1 -y 30 -o /run/big ${web}big; echo $?`)
  const size = async () => Number((await lab.sh('c1', 'stat -c %s /run/big 2>/dev/null')).stdout)
  await until(async () => (await size()) > 500_000)
  await remove('c1', 'c2')
  const cut = await size()
  await until(() => isLed('c1'))
  expect(await list()).toEqual([])
  // Reset where it still sends, at its own end where it waits: 56 or 28. It writes down last what it held itself.
  expect((await download).stdout.trim()).toMatch(/^(56|28)$/)
  expect((await size()) - cut).toBeLessThan(20_000)
})

test('openNDS that somebody runs is found, with the interface that it holds', async () => {
  await lab.sh('gw', 'cp /usr/bin/sleep /tmp/opennds && (/tmp/opennds 600 >/dev/null 2>&1 &)')
  const seen = await on(session => driver.observe(session, 'full'))
  expect(seen.portals).toEqual([{ program: 'opennds', interface: 'br-lan' }])
})

test('everything can be taken away', async () => {
  expect(await apply([guests()], true)).toEqual([])
  await admit('c1', { download: 8000, upload: 2000 })
  expect(await kept()).toContain(macs.c1)
  await apply([guests({ portal: undefined })])
  await until(() => isIn('c2'))
  const left = await lab.sh(
    'gw',
    'nft list tables; tc class show dev br-lw20; ls -R /etc/lanward /etc/hotplug.d; cat /etc/config/uhttpd',
  )
  expect(left.stdout).not.toMatch(/gate|htb|answer|guests|lw_portal/)
  // A connection that is over stands there for a minute yet: 06.
  expect((await lab.sh('gw', `awk '/:4C57/ && $4 != "06"' /proc/net/tcp`)).stdout).toBe('')
  await on(async session => {
    expect(await gateOf().list(session)).toEqual([])
    await gateOf().remove(session, [macs.c1])
    await expect(
      gateOf().admit(session, [{ mac: macs.c1, lan: guestLan, seconds: 60, idleSeconds: 300 }]),
    ).rejects.toMatchObject({ reason: 'unsupported' })
  })
})
