import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import {
  type SpeedFigures,
  type SpeedPhase,
  type SpeedServer,
  serverHost,
  serverName,
  speedServer,
} from '@/model/dashboard/speed-test'
import { here } from '@/server/drivers/tools/here'
import { bpsBetween, cpuBetween, loadOf } from '@/server/drivers/tools/line-load'
import { speedTest } from '@/server/drivers/tools/speed-test'

// Real processes whose programs print what iperf3 3.12, curl 7.88 and iputils print.

const path = process.env.PATH ?? ''
let folder: string
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/speed-`)
  process.env.PATH = `${folder}:${path}`
  program(
    'ping',
    "printf 'PING s.test (203.0.113.1) 56(84) bytes of data.\\n64 bytes from 203.0.113.1: icmp_seq=1 ttl=64 time=10.0 ms\\n64 bytes from 203.0.113.1: icmp_seq=2 ttl=64 time=14.0 ms\\n\\n2 packets transmitted, 2 received, 0%% packet loss\\n'",
  )
  program('ip', "echo '203.0.113.1 dev lo src 127.0.0.1 uid 0'")
})
afterEach(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true })
})

function program(name: string, script: string): void {
  writeFileSync(`${folder}/${name}`, `#!/bin/sh\n${script}\n`)
  chmodSync(`${folder}/${name}`, 0o755)
}

const iperf3: SpeedServer = { type: 'iperf3', host: 's.test', port: 5201 }

async function run(server: SpeedServer, signal = AbortSignal.timeout(60_000)) {
  const told: [SpeedPhase, SpeedFigures][] = []
  const tell = (phase: SpeedPhase, figures: SpeedFigures) => void told.push([phase, structuredClone(figures)])
  const figures = await speedTest({ vantage: here, server, signal, tell })
  return { figures, told }
}

const both = `[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec  1.00 MBytes  8389 Kbits/sec    0    400 KBytes       (omitted)
[  7]   0.00-1.00   sec  1.00 MBytes  8389 Kbits/sec    0    400 KBytes       (omitted)
[SUM]   0.00-1.00   sec  2.00 MBytes  16778 Kbits/sec    0             (omitted)
- - - - - - - - - - - - - - - - - - - - - - - - -
[  5]   0.00-1.00   sec  2.00 MBytes  16777 Kbits/sec    0    400 KBytes
[SUM]   0.00-1.00   sec  4.00 MBytes  33554 Kbits/sec    0
[  5]   0.00-10.00  sec  20.0 MBytes  16777 Kbits/sec    3             sender
[SUM]   0.00-10.00  sec  40.0 MBytes  33554 Kbits/sec    3             sender
[SUM]   0.00-10.04  sec  39.0 MBytes  32500 Kbits/sec                  receiver

iperf Done.`

test('iperf3: both directions one after the other, of all streams together, with the latency before and meanwhile', async () => {
  program(
    'iperf3',
    `case "$*" in *-R*) cat <<'END'\n${both}\nEND\n;; *) cat <<'END'\n${both.replace('32500', '9100')}\nEND\n;; esac`,
  )
  const { figures, told } = await run(iperf3)
  expect(figures.idle).toEqual({ latencyMs: 12, jitterMs: 4, lossPercent: 0 })
  expect(figures.download).toMatchObject({ bps: 32_500_000, rates: [16_778_000, 33_554_000] })
  expect(figures.upload).toMatchObject({ bps: 9_100_000 })
  expect([...new Set(told.map(([phase]) => phase))]).toEqual(['latency', 'download', 'upload'])
  // While one is measured nothing is said to be its result.
  const first = told.find(([phase]) => phase === 'download')?.[1]
  expect(first?.download).toEqual({ rates: [] })
  expect(first?.upload).toBeUndefined()
})

test.each([
  [
    'iperf3: error - the server is busy running a test. try again later',
    1,
    'the server is busy running a test. try again later',
  ],
  [
    'iperf3: error - unable to connect to server: Connection refused',
    1,
    'unable to connect to server: Connection refused',
  ],
  // It may end well and have measured nothing.
  ['iperf3: the server has terminated', 0, 'iperf3: the server has terminated'],
])('iperf3 that fails is told in its own words: %s', async (said, code, detail) => {
  program('iperf3', `echo '${said}'; exit ${code}`)
  await expect(run(iperf3)).rejects.toMatchObject({ reason: 'commandFailed', detail })
})

test.each([
  ['a page that is not there', "printf '404 153 0\\n404 153 0\\n'", 'HTTP 404'],
  [
    'nobody who answers',
    "echo 'curl: (7) Failed to connect to s.test port 80 after 2 ms: Connection refused'; exit 7",
    'Failed to connect to s.test port 80 after 2 ms: Connection refused',
  ],
  ['files that are over at once', "printf '200 153 0\\n200 153 0\\n'", 'fileTooShort'],
])('by http, %s', async (_, script, detail) => {
  program('curl', script)
  const server = { type: 'http', download: 'http://s.test/file' } as const
  await expect(run(server)).rejects.toMatchObject({ reason: 'commandFailed', detail })
})

test('a program that is not there is named, and a server that nobody can ping has no latency', async () => {
  program(
    'ping',
    "printf 'PING s.test (203.0.113.1) 56(84) bytes of data.\\n\\n2 packets transmitted, 0 received, 100%% packet loss\\n'; exit 1",
  )
  program('iperf3', `cat <<'END'\n${both}\nEND`)
  const { figures } = await run(iperf3)
  expect(figures).not.toHaveProperty('idle')
  expect(figures.download).not.toHaveProperty('latencyMs')
  process.env.PATH = folder
  program('sh', 'exec /bin/sh "$@"')
  rmSync(`${folder}/iperf3`)
  await expect(run(iperf3)).rejects.toMatchObject({ reason: 'unsupported', detail: 'missing: iperf3' })
})

test('a server that no route leads to is said to be so; an address needs no ping to be found', async () => {
  program('curl', 'exec sleep 60')
  program('ping', 'exit 127')
  program('ip', 'case "$*" in *get*) echo "198.51.100.7 dev none0 src 10.0.0.2" ;; *) exit 0 ;; esac')
  const named = { type: 'http', download: 'http://s.test/file' } as const
  await expect(run(named)).rejects.toMatchObject({ reason: 'noRoute', detail: 's.test' })
  const stop = new AbortController()
  const phases: SpeedPhase[] = []
  const tell = (phase: SpeedPhase, figures: SpeedFigures) => {
    phases.push(phase)
    if (figures.download) stop.abort()
  }
  const server = { type: 'http', download: 'http://198.51.100.7/file' } as const
  await expect(speedTest({ vantage: here, server, signal: stop.signal, tell })).rejects.toMatchObject({
    reason: 'cancelled',
  })
  expect(phases).toContain('download')
})

test('canceled, it ends', async () => {
  program('iperf3', 'exec sleep 60')
  const stop = new AbortController()
  const over = speedTest({
    ...{ vantage: here, server: iperf3, signal: stop.signal },
    tell: phase => phase === 'download' && stop.abort(),
  })
  await expect(over).rejects.toMatchObject({ reason: 'cancelled' })
})

test('of a second: octets, and how busy the processors were', () => {
  const first = loadOf('100.00;1000;500;cpu  100 0 100 800 0 0 0 0 0 0')
  const last = loadOf('102.50;5001000;1500;cpu  190 0 100 810 0 0 0 0 0 0')
  expect(first && last && bpsBetween(first, last, 'inOctets')).toBe(16_000_000)
  expect(first && last && bpsBetween(first, last, 'outOctets')).toBe(3200)
  expect(cpuBetween(first, last)).toBe(90)
})

test.each(['', 'sh: can not open', '100.00;;;', ';1;2;cpu 1 2 3 4', '1.0;x;y;cpu a b c d e'])('no reading: %s', line =>
  expect(loadOf(line)).toBeUndefined(),
)

test('counters that went back, or stood in no time, are no rate', () => {
  const one = loadOf('100.00;1000;500;cpu  1 0 1 8 0 0 0 0')
  const other = loadOf('101.00;900;500;cpu  1 0 1 9 0 0 0 0')
  if (!one || !other) throw new Error('not read')
  expect(bpsBetween(one, other, 'inOctets')).toBeUndefined()
  expect(bpsBetween(one, one, 'outOctets')).toBeUndefined()
})

test.each([
  [{ type: 'iperf3', host: 'speed.test' }, 'speed.test:5201', 'speed.test'],
  [{ type: 'http', download: 'https://[2001:db8::1]:8443/file' }, '[2001:db8::1]:8443', '2001:db8::1'],
] as const)('a server is known by its name: %j', (given, name, host) => {
  const server = speedServer.parse(given)
  expect([serverName(server), serverHost(server)]).toEqual([name, host])
})

test.each([
  [{ type: 'iperf3', host: '-R' }],
  [{ type: 'iperf3', host: 'a b' }],
  [{ type: 'iperf3', host: 'speed.test', port: 0 }],
  [{ type: 'iperf3', host: 'speed.test', port: 65_536 }],
  [{ type: 'http', download: 'ftp://speed.test/file' }],
  [{ type: 'http', download: 'file:///etc/passwd' }],
  [{ type: 'http', download: 'speed.test/file' }],
  [{ type: 'http', download: 'http://speed.test/file', upload: '-T' }],
  [{ type: 'shell', host: 'speed.test' }],
])('no server: %j', given => expect(speedServer.safeParse(given).success).toBe(false))
