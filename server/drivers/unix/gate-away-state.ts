import { DeviceError } from '../driver'
import type { AwayList, AwayState, AwayUse } from '../guests'
import { quote } from '../shell'
import { gateTable } from './gate-rules'
import type { GateSystem } from './gate-state'
import { newMark, parseParts } from './parts'
import { clean, json, lines, list, mac, number, record } from './text'

// What a gateway lets in by itself (gate-away.ts): the list that it has, and the vouchers that it took.

const mostBytes = 1_000_000
const mostUses = 5000

const readText = (folder: string) => `mark=$1
part() { printf '\\n%s %s\\n' "$mark" "$1"; }
part list; sed -n 1p ${folder}/list 2>/dev/null
part used; tail -c ${mostBytes} ${folder}/used 2>/dev/null
part quotas; nft -j list quotas table ${gateTable} 2>/dev/null
part end`

const second = (text: string | undefined) => number(text, 1, 1e11)
const count = (text: string | undefined) => (text === undefined || !/^\d+$/.test(text) ? undefined : number(text))
const isDocument = (text = '') => /^[0-9a-f-]{36}$/.test(text)
const isAddress = (text = '') => /^[0-9a-f.:]{2,45}$/i.test(text)

/** What each quota counted. */
function quotasIn(text: string | undefined): Map<unknown, number | undefined> {
  const all = list(record(json(text)).nftables, 20_000).map(one => record(record(one).quota))
  return new Map(all.map(one => [one.name, number(one.used)]))
}

/** Lines `u AT MAC VOUCHER LAN QUOTA SECONDS BYTES ADDRESS` and `b AT MAC BYTES`. */
function readUses(text: string | undefined, quotas: ReadonlyMap<unknown, number | undefined>): AwayUse[] {
  const rows = lines(text).map(line => line.split(' '))
  const final = new Map(
    rows.flatMap(([word, at, who, bytes]) => (word === 'b' ? [[`${at} ${who}`, count(bytes)]] : [])),
  )
  return rows.slice(-mostUses).flatMap(([word, at, who, voucher, lan = '', quota, seconds, , address = '']) => {
    if (word !== 'u') return []
    const [begun, its, of, lasting] = [second(at), mac(who), count(voucher), count(seconds)]
    if (!begun || !its || of === undefined || lasting === undefined || !isDocument(lan)) return []
    const bytes = final.get(`${at} ${who}`) ?? quotas.get(quota)
    return [
      {
        ...{ at: begun, mac: its, voucher: of, lan, seconds: lasting },
        ...{ address: isAddress(address) ? address : '', ...(bytes !== undefined && { bytes }) },
      },
    ]
  })
}

const digestIn = (line: string | undefined): string | undefined => /^lanward 1 ([0-9a-f]{64}) /.exec(line ?? '')?.[1]

async function read<S>({ script }: GateSystem<S>, session: S, folder: string): Promise<AwayState> {
  const mark = newMark()
  const parts = parseParts(await script(session, readText(folder), [mark], 30_000), mark)
  const digest = digestIn(parts.text('list'))
  return {
    ...(digest && { digest }),
    uses: readUses(parts.text('used'), quotasIn(parts.text('quotas'))),
  }
}

/** Everything at once, while nobody comes in; a list that is written half is none. */
function putText(folder: string, owner: string | undefined, { text, keys, pages, merged }: AwayList): string {
  const put = (name: string, of: string) =>
    `printf %s ${quote(of)} >${folder}/${name}.new && mv -f ${folder}/${name}.new ${folder}/${name} || exit 1`
  const named = pages.filter(({ lan }) => isDocument(lan))
  const say = (words: Readonly<Record<string, string>>) =>
    Object.entries(words)
      .map(([name, of]) => `${name} ${of.replace(/\s+/g, ' ')}\n`)
      .join('')
  const gone = merged.map(({ at, mac: who }) => `${at} ${who}\n`).join('')
  return `[ -d ${folder} ] || exit 3
exec 9>>${folder}/lock
flock 9
umask 077
rm -f ${folder}/*.new ${folder}/entry.* ${folder}/wrong.* ${folder}/online.* ${folder}/say.*
${put('keys', `${keys.join(' ')}\n`)}
${named
  .flatMap(one => [
    put(`wrong.${one.lan}`, one.wrong),
    put(`online.${one.lan}`, one.online),
    put(`say.${one.lan}`, say(one.say)),
    put(`entry.${one.lan}`, one.entry),
  ])
  .join('\n')}
${put('list', text)}
${
  gone === ''
    ? ''
    : `if [ -e ${folder}/used ]; then
printf %s ${quote(gone)} | awk 'NR == FNR { gone[$0] = 1; next } !(($2 " " $3) in gone)' - ${folder}/used >${folder}/used.new && mv -f ${folder}/used.new ${folder}/used || exit 1
fi`
}
${owner === undefined ? ':' : `cd ${folder} && chown ${owner} *`}`
}

async function put<S>({ script, owner }: GateSystem<S>, session: S, folder: string, list: AwayList): Promise<void> {
  const { code, stderr } = await script(session, putText(folder, owner, list), [], 50_000)
  if (code === 3) throw new DeviceError('unsupported', 'lets nobody in by itself')
  if (code !== 0) throw new DeviceError('commandFailed', clean(stderr) ?? `status ${code}`)
}

export const awayActions = <S>(system: GateSystem<S>, folder: string) => ({
  read: (session: S) => read(system, session, folder),
  put: (session: S, list: AwayList) => put(system, session, folder, list),
})
