import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { freePort, startManager } from '../appliance/_manager'
import { type Client, clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { percentile, type Row } from './table'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const rate = 20_000
const seconds = 10
const filled = 1_000_000

/** A process of its own that sends lines of some 100 bytes over UDP, so many a second. */
const blast = (port: number, lines: number, forSeconds: number) => `
const socket = require('node:dgram').createSocket('udp4')
let sent = 0
const begun = Date.now()
const timer = setInterval(() => {
  const due = Math.min(${lines * forSeconds}, Math.floor((Date.now() - begun) * ${lines} / 1000))
  for (; sent < due; sent++)
    socket.send('<30>Nov 23 10:00:00 ap-7 hostapd[812]: wl0: STA 02:aa:bb:00:' + (sent % 97) + ' IEEE 802.11: associated (aid ' + sent + ')', ${port}, '127.0.0.1')
  if (sent === ${lines * forSeconds}) { clearInterval(timer); setTimeout(() => { socket.close(); console.log(sent) }, 500) }
}, 5)`

type Now = { received: number; kept: number; dropped: number; droppedBySystem: number | null }
const statusOf = async (client: Client) => (await client.must('logs/status', {})).now as Now

async function fill(client: Client, port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const before = (await statusOf(client)).received
  const begun = performance.now()
  for (let at = 0; at < filled; at += 1000) {
    const lines = Array.from(
      { length: 1000 },
      (_, more) =>
        `<${(at + more) % 8}>Nov 23 10:00:00 sw-3 kernel: port ${(at + more) % 48} link ${more % 2 ? 'up' : 'down'} event ${at + more}\n`,
    )
    if (!socket.write(lines.join(''))) await once(socket, 'drain')
  }
  socket.end()
  for (;;) {
    const { received, kept } = await statusOf(client)
    if (received - before >= filled && kept === received) return (filled / (performance.now() - begun)) * 1000
    await wait(200)
  }
}

/** 95th percentile, ms. */
async function searched(client: Client, search: string): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < 40; at++) {
    const begun = performance.now()
    await client.must('logs/find', { unknown: true, search })
    times.push(performance.now() - begun)
  }
  return percentile(times, 0.95)
}

/** Lines that come at once, what of them is lost, and how fast a million are searched. */
export async function measureLogs(): Promise<Row[]> {
  const manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  try {
    const client = clientOf(manager.http)
    await prepareWizard(client)
    await client.must('wizard/finish')
    const port = await freePort()
    await client.must('settings/logReception/save', { revision: 0, protocol: 'both', port, unknown: true })
    await wait(1000)
    const sender = spawn(process.execPath, ['-e', blast(port, rate, seconds)], { stdio: 'ignore' })
    await once(sender, 'exit')
    await wait(3000)
    const { kept, dropped, droppedBySystem } = await statusOf(client)
    const perSecond = await fill(client, port)
    const [two, phrase, prefix] = [
      await searched(client, 'port 17 down'),
      await searched(client, '"event 4711"'),
      await searched(client, 'associ*'),
    ]
    const lost = rate * seconds - kept
    return [
      {
        what: `${rate.toLocaleString('en')} lines a second over UDP for ${seconds} s`,
        figure: `${lost} lost (${dropped + (droppedBySystem ?? 0)} of them counted)`,
        aim: 'none lost',
        met: lost === 0,
      },
      {
        what: 'lines a second over TCP, kept',
        figure: String(Math.round(perSecond)),
        aim: '≥ 10000',
        met: perSecond >= 10_000,
      },
      {
        what: 'search in 1.2 million lines, p95: words, phrase, beginning',
        figure: [two, phrase, prefix].map(ms => `${ms.toFixed(0)} ms`).join(', '),
        aim: '< 100 ms',
        met: Math.max(two, phrase, prefix) < 100,
      },
    ]
  } finally {
    await manager.stop()
  }
}
