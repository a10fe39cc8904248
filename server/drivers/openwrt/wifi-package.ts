import type { NativeBlock, Warning } from '../driver'
import { list, record } from '../unix/text'
import { isTaken, type Package, sectionOf } from './package'
import type { OpenwrtSession } from './session'
import { openReader } from './ubus'

const settleMs = 30_000

const deviceOf = (block: NativeBlock) => /\.device='([^']*)'/.exec(block.text)?.[1] ?? ''

const isOff = async ({ ssh }: OpenwrtSession, section: string) =>
  (await ssh.exec(`uci -q get wireless.${section}.disabled`)).stdout.trim() === '1'

/** What is wrong with a section's access point now; a radio that is off proves nothing wrong. */
async function down(session: OpenwrtSession, block: NativeBlock): Promise<string | undefined> {
  const reader = await openReader(session.ssh)
  const status = (await reader.ubus('network.wireless', 'status')) ?? {}
  const { section } = sectionOf(block)
  const own = status[section]
  // A radio's own section, which was imported.
  if (own) return record(own).retry_setup_failed === true ? 'FAILED' : undefined
  const radio = record(status[deviceOf(block)])
  if (radio.disabled === true) return undefined
  // What hostapd says until netifd has set the radio up anew is of before.
  if (radio.pending === true) return 'PENDING'
  const interfaces = isTaken(block) ? Object.values(status).map(record) : [radio]
  const entry = interfaces
    .flatMap(one => list(one.interfaces, 64))
    .map(record)
    .find(one => one.section === section)
  // Of an imported section it is not known here whether it is switched on at all; one of ours may be off by its hours.
  if (!entry?.ifname) return isTaken(block) || (await isOff(session, section)) ? undefined : 'MISSING'
  // A mesh has no hostapd: its interface has a carrier once it has joined.
  if (/\.mode='mesh'$/m.test(block.text)) {
    const link = await reader.ubus('network.device', 'status', { name: String(entry.ifname) })
    return link?.carrier === true ? undefined : 'DOWN'
  }
  const hostapd = await reader.ubus(`hostapd.${String(entry.ifname)}`, 'get_status')
  const said = String(hostapd?.status ?? 'DOWN')
  return said === 'ENABLED' ? undefined : said
}

/** `up` of the radio proves nothing: each access point's own hostapd object has to say ENABLED. A radio that is off proves nothing wrong. */
async function verify(session: OpenwrtSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const until = Date.now() + settleMs
  const problems: Warning[] = []
  for (const block of blocks.filter(one => deviceOf(one) !== '')) {
    for (;;) {
      const state = await down(session, block)
      if (state === undefined) break
      if (Date.now() > until) {
        const values = { radio: deviceOf(block), state }
        problems.push({ code: 'hostapdDown', kind: block.kind ?? 'ssid', document: block.document, values })
        break
      }
      await new Promise(wake => setTimeout(wake, 1_000))
    }
  }
  return problems
}

export const wireless: Package = {
  name: 'wireless',
  reload: 'ubus call network reload',
  lists: ['maclist', 'r0kh', 'r1kh', 'radius_auth_req_attr'],
  verify,
}
