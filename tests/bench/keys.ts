import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { VoucherKey } from '@/server/drivers/keys'
import { judge, keyLine } from '@/server/drivers/linux/wifi/voucher-keys'
import { giveKeys } from '@/server/guests/sessions/voucher-keys'
import { slowHash } from '@/server/guests/vouchers/away-list'
import { house } from '../server/guests/_house'
import { type Row, row } from './table'

const all = 5000
const inside = 200
const tries = 400

async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; value: T }> {
  const begun = performance.now()
  const value = await work()
  return { ms: performance.now() - begun, value }
}

/** What an access point does each second with so many keys: which hold now, and the file that hostapd reads again where one ended. */
function pass(keys: readonly VoucherKey[]): number {
  const folder = mkdtempSync(`${tmpdir()}/lanward-keys-`)
  const station = (at: number) =>
    `02:00:00:00:${(at >> 8).toString(16).padStart(2, '0')}:${(at & 255).toString(16).padStart(2, '0')}`
  const [, net = ''] = keyLine(keys[0] as VoucherKey).split(' ')
  const files = {
    used: '',
    list: ['lanward 1 x', ...keys.map(keyLine), ''].join('\n'),
    stations: keys
      .slice(0, inside)
      .map((one, at) => `s wlan0 ${net} ${station(at)} ${one.voucher} ${at}\n`)
      .join(''),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
  const words = ['-v', `now=${Math.floor(Date.now() / 1000)}`, '-v', 'fresh=1', judge, ...Object.keys(files)]
  const begun = performance.now()
  const said = execFileSync('awk', words, { cwd: folder, maxBuffer: 64 << 20 }).toString()
  const ms = performance.now() - begun
  if (said.split('\n').filter(line => line.startsWith('key ')).length !== keys.length)
    throw new Error('keys are missing')
  rmSync(folder, { recursive: true })
  return ms
}

/** Vouchers as keys of a Wi-Fi network, and what a stolen list of a gateway is worth to whoever has its key, too. */
export async function measureKeys(): Promise<Row[]> {
  const one = await house()
  try {
    for (const gateway of [one.gateway, one.other]) gateway.keys = { uses: [], present: [] }
    const saved = await one.owner.post('settings/ssid/save', {
      ...{ name: 'Quay', security: 'ppsk', vouchers: true },
      assign: { all: true, groups: [], devices: [] },
    })
    if (saved.retCode !== 0) throw new Error('no Wi-Fi network')
    for (let made = 0; made < all; made += 1000) one.codes(1000)
    const give = () => giveKeys(one.manager.runtime, 1)
    const first = await timed(give)
    const again = await timed(give)
    const keys = one.gateway.keyList?.keys ?? []
    if (keys.length !== all) throw new Error(`${keys.length} keys`)
    const bytes = keys.map(keyLine).join('\n').length
    // One after the other: one thread of one core makes them.
    const guessed = await timed(async () => {
      for (let at = 0; at < tries; at += 1) await slowHash('key', `${at}`)
    })
    return [
      row(
        `${all} vouchers become keys of a network (PBKDF2, once as long as the manager runs)`,
        first.ms / 1000,
        's',
        undefined,
        1,
      ),
      row(`the same again, nothing changed`, again.ms, 'ms', undefined, 0),
      row(`the list that an access point is sent`, bytes / 1e6, 'MB', 1, 2),
      row(`one look of an access point at ${all} keys and ${inside} devices (awk)`, pass(keys), 'ms', 1000, 0),
      row(
        `voucher codes tried a second by one core with a gateway's list and its key`,
        tries / (guessed.ms / 1000),
        'codes',
        1000,
        0,
      ),
    ]
  } finally {
    await one.end()
  }
}
