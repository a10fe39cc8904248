import { connect, isIPv6 } from 'node:net'
import { uptime } from 'node:os'
import type { NoticeTarget } from '@/model/notify/target'
import { pdu, tag } from '@/server/drivers/snmp/protocol/ber'
import { encodeRequest } from '@/server/drivers/snmp/protocol/ber-write'
import { connectDatagrams } from '@/server/kernel/datagrams'
import { sendFramed, syslogLine } from '@/server/kernel/syslog'
import { endOf, type SendOptions, within, wordOf } from '@/server/notify/webhooks/send'
import { addressesOf } from '@/server/notify/webhooks/targets'
import type { Message, Told } from './chat'
import { levelWord, type ToldAlert } from './compose'

// What hears of each alert by itself, in a line or a trap.

/** Facility 16 (local0); how grave by RFC 5424: critical, warning, notice. */
const severities = { 5: 2, 10: 4, 15: 5 } as const
const lineOf = ({ id, at, level, type, text, device, network }: ToldAlert): string =>
  syslogLine({
    ...{ priority: 16 * 8 + severities[level], at, topic: type, text },
    data: { alert: id, level: levelWord(level).toLowerCase(), device, network },
  })

const sysUpTime = '1.3.6.1.2.1.1.3.0'
const snmpTrapOid = '1.3.6.1.6.3.1.1.4.1.0'
/** Below the number that stands for examples (RFC 5612), as in the lines: this product has none of its own. */
const own = '1.3.6.1.4.1.32473.1'

/** An SNMPv2-Trap (RFC 3416 section 4.2.6): what happened, how grave (5, 10, 15), of which type, device and network. */
function trapOf({ id, level, type, text, device, network }: ToldAlert, community: string): Buffer {
  const texts = [text, type, device, network].map((one, at) => ({
    ...{ oid: `${own}.2.${at + 2}.0`, type: tag.octets },
    value: Buffer.from(one).subarray(0, 255),
  }))
  const settings = [
    { oid: sysUpTime, type: tag.timeTicks, value: Math.floor(uptime() * 100) % 2 ** 32 },
    { oid: snmpTrapOid, type: tag.oid, value: `${own}.0.1` },
    { oid: `${own}.2.1.0`, type: tag.integer, value: level },
    ...texts,
  ]
  return encodeRequest({ version: 1, community: Buffer.from(community), type: pdu.trap2, id, oids: [], settings })
}

/** Nobody answers a datagram; a closed port, where the host says so at all, does within this time. */
const refusalMs = 300

async function sendDatagrams(host: string, port: number, parts: readonly (string | Buffer)[]): Promise<void> {
  const socket = await connectDatagrams(host, port)
  return new Promise<void>((done, failed) => {
    socket.on('error', failed)
    for (const part of parts) socket.send(part)
    setTimeout(done, refusalMs)
  }).finally(() => socket.close())
}

/** One try. Both go in clear, so only to segments that were allowed, as plain http. Resolves however it ends. */
export async function tellLines(
  { service, host = '', port = 0, protocol, community = '' }: NoticeTarget,
  { notice: { alerts } }: Message,
  { allowed, lookup, limitMs, stop }: SendOptions,
): Promise<Told> {
  const { signal, timedOut, release } = endOf(limitMs, stop)
  try {
    const url = new URL(`http://${isIPv6(host) ? `[${host}]` : host}`)
    const [to] = await within(signal, addressesOf(url, allowed, lookup))
    const { address = '' } = to ?? {}
    if (service === 'snmp')
      await sendDatagrams(
        address,
        port,
        alerts.map(one => trapOf(one, community)),
      )
    else if (protocol === 'tcp')
      await within(signal, sendFramed(connect({ host: address, port, signal }), alerts.map(lineOf)))
    else await sendDatagrams(address, port, alerts.map(lineOf))
    return { code: 0, error: '', answer: '' }
  } catch (error) {
    return { code: 0, error: timedOut() ? 'timeout' : wordOf(error), answer: '' }
  } finally {
    release()
  }
}
