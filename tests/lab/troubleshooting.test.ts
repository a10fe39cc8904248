// What a person asks the network from a device of the lab, and from the manager, with the network broken on purpose.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { lab, until } from './_lab'
import { ap, ask, begin, end, ended, gateway, gw, look, result, type Shown, site, sw } from './_troubleshooting'

const path = process.env.PATH ?? ''
let tools: string

beforeAll(async () => {
  await begin()
  // The manager's place in the lab has the lab's own ping.
  tools = mkdtempSync(`${tmpdir()}/tools-`)
  const script = `${process.cwd()}/appliance/lab/lab.sh`
  writeFileSync(
    `${tools}/ping`,
    `#!/bin/sh\nexport PATH='${path}' LANWARD_LAB_PREFIX='${process.env.LANWARD_LAB_PREFIX ?? ''}'\nexec bash '${script}' tool ping "$@"\n`,
  )
  chmodSync(`${tools}/ping`, 0o755)
})
afterAll(async () => {
  process.env.PATH = path
  await end()
  if (tools) rmSync(tools, { recursive: true })
})

/** Programs of that name that run on the access point. */
const left = async (name: string) => (await lab.sh('ap1', `pgrep -x ${name} | wc -l`)).stdout.trim()

test('ping from a device: all answers, in figures and in lines', async () => {
  const seen = await look({ tool: 'ping', host: gateway, count: 3 }, ap)
  expect(seen).toMatchObject({ state: 'done', figures: { tool: 'ping', sent: 3, received: 3 } })
  const { figures } = seen
  if (figures?.tool !== 'ping') throw new Error('no ping')
  expect(figures.minMs).toBeGreaterThan(0)
  expect(figures.avgMs).toBeLessThanOrEqual(figures.maxMs ?? 0)
  expect(seen.lines[0]).toMatch(/^PING 10\.77\.0\.1/)
  expect(seen.lines.filter(line => line.includes('bytes from 10.77.0.1'))).toHaveLength(3)
})

test('ping from the manager by its own program; where it has none, the package is named', async () => {
  process.env.PATH = `${tools}:${path}`
  expect((await look({ tool: 'ping', host: gateway, count: 2 })).figures).toMatchObject({ sent: 2, received: 2 })
  const id = await ask({ tool: 'ping', host: '10.77.0.77', count: 60 })
  await until(async () => (await result(id)).lines.length > 1)
  await site.ok('diagnostics/stop', { id })
  await until(async () => (await lab.tool('pgrep', '-f', '10.77.0.77')).stdout === '')
  process.env.PATH = '/nowhere'
  const seen = await look({ tool: 'ping', host: gateway })
  process.env.PATH = path
  expect(seen).toMatchObject({ state: 'failed', failure: { reason: 'missing', detail: 'ping' } })
})

test('canceled: it says so, keeps what was heard, and leaves no process on the device', async () => {
  const id = await ask({ tool: 'ping', host: gateway, count: 60 }, ap)
  await until(async () => (await result(id)).lines.length > 2)
  expect(await left('ping')).toBe('1')
  expect(await site.ok('diagnostics/stop', { id })).toEqual({ stopped: true })
  const seen = await ended(id)
  expect(seen).toMatchObject({ state: 'cancelled', figures: { tool: 'ping' } })
  await until(async () => (await left('ping')) === '0')
  expect(await site.ok('diagnostics/stop', { id })).toEqual({ stopped: false })
})

test('canceled while nothing answers: the program has nothing to print, and ends all the same', async () => {
  const id = await ask({ tool: 'traceroute', host: '10.77.3.250' }, ap)
  await until(async () => (await left('ping')) === '1')
  await site.ok('diagnostics/stop', { id })
  await until(async () => (await left('ping')) === '0')
  expect((await ended(id)).state).toBe('cancelled')
})

test('a device’s polls go on while a test runs', async () => {
  const id = await ask({ tool: 'ping', host: gateway, count: 60 }, ap)
  await until(async () => (await result(id)).lines.length > 1)
  await site.ok('devices/sync', { id: ap })
  expect((await result(id)).state).toBe('running')
  await site.ok('diagnostics/stop', { id })
})

test.each([
  ['-c', 'addressFormat'],
  ['$(reboot)', 'addressFormat'],
  ['a;b', 'addressFormat'],
  ['a b', 'addressFormat'],
  ['', 'addressFormat'],
  ['256.1.1.1', 'addressFormat'],
])('a host that is none is refused at its field and starts nothing: %j', async host => {
  const before = (await site.ok('diagnostics/list')) as { total: number }
  const answer = await site.browser.post('diagnostics/run', { deviceId: ap, request: { tool: 'ping', host } })
  expect(answer).toMatchObject({ data: { fields: { 'request.host': expect.any(String) } } })
  expect(await site.ok('diagnostics/list')).toMatchObject({ total: before.total })
})

test('a device without SSH cannot run tests, and is not offered', async () => {
  const answer = await site.browser.post('diagnostics/run', { deviceId: sw, request: { tool: 'neighbours' } })
  expect(answer).toMatchObject({ data: { fields: { deviceId: 'notAllowed' } } })
  const offered = (await site.ok('diagnostics/places')) as unknown as { manager: boolean; devices: { id: number }[] }
  expect(offered.manager).toBe(true)
  expect(offered.devices.map(one => one.id).sort()).toEqual([gw, ap].sort())
})

test('four at a time, the fifth is refused; the newest thirty are kept, also across a restart', async () => {
  const ids: string[] = []
  for (let n = 0; n < 4; n++) ids.push(await ask({ tool: 'ping', host: gateway, count: 60 }, ap))
  expect(await site.browser.post('diagnostics/run', { deviceId: ap, request: { tool: 'neighbours' } })).toMatchObject({
    retCode: 10011,
  })
  for (const id of ids) await site.ok('diagnostics/stop', { id })
  for (const id of ids) await ended(id)
  for (let n = 0; n < 31; n++) await look({ tool: 'port', host: gateway, port: 1000 + n })
  const kept = (await site.ok('diagnostics/list')) as unknown as { total: number; result: Shown[] }
  expect(kept.total).toBe(30)
  expect(kept.result[0]).toMatchObject({ state: 'done', request: { port: 1030 } })
  await site.restart()
  expect(await site.ok('diagnostics/list')).toMatchObject({ total: 30, result: kept.result })
})
