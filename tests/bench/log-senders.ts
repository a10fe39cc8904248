import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type Sort = 'lines' | 'lookups' | 'connections'
export type Blast = { sort: Sort; rate: number; seconds: number }

// Runs by itself, so that it takes no time of who measures. Each of twenty devices says its share from its own address; it
// sends what is due by the clock, every 5 ms.
const script = `
const { createSocket } = require('node:dgram')
const [port, rate, seconds, sort] = process.argv.slice(1)
const total = rate * seconds
const client = n => '10.9.' + ((n % 20000) >> 8) + '.' + ((n % 20000) & 255)
const half = (side, source, n) => '<7>Nov 30 10:00:00 gw kernel: lanward-nat-' + side + ' IN=lan OUT=wan SRC=' + source + ' DST=198.51.100.' + (n % 251) + ' LEN=60 TTL=63 ID=' + (1 + n % 65000) + ' PROTO=TCP SPT=' + (1024 + n % 60000) + ' DPT=443 SEQ=' + (1 + n) + ' '
const said = {
  lines: n => '<30>Nov 30 10:00:00 ap-7 hostapd[812]: wl0: STA 02:aa:bb:00:' + (n % 97) + ' IEEE 802.11: associated (aid ' + n + ')',
  lookups: n => '<30>Nov 30 10:00:00 gw dnsmasq[12]: ' + (n % 10000) + ' ' + client(n) + '/51234 query[A] host-' + (n % 997) + '.example.com from ' + client(n),
  // Two lines each, of one packet.
  connections: n => half(n % 2 ? 'out' : 'in', n % 2 ? '203.0.113.1' : client(n >> 1), n >> 1),
}[sort]
// Both lines of a connection are of one device.
const own = n => (sort === 'connections' ? n >> 1 : n) % 20
const sockets = Array.from({ length: 20 }, () => createSocket('udp4'))
Promise.all(sockets.map((socket, at) => new Promise(done => socket.bind(0, '127.1.0.' + (at + 1), done)))).then(() => {
  let sent = 0
  const begun = Date.now()
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor((Date.now() - begun) * rate / 1000))
    for (; sent < due; sent++) sockets[own(sent)].send(said(sent), Number(port), '127.0.0.1')
    if (sent < total) return
    clearInterval(timer)
    setTimeout(() => process.exit(0), 1000)
  }, 5)
})`

/** Sends so many over UDP, and ends. */
export async function send(port: number, { sort, rate, seconds }: Blast): Promise<void> {
  const child = spawn(process.execPath, ['-e', script, ...[port, rate, seconds, sort].map(String)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`the sender ended with ${status}`)
}
