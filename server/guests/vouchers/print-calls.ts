import { and, eq, inArray, sql } from 'drizzle-orm'
import * as z from 'zod'
import { vouchers } from '@/db/schema'
import type words from '@/locales/en/vouchers.json'
import { termsOf, validUntil, voucherStates } from '@/model/guests/voucher'
import { shownCode } from '@/model/guests/voucher-code'
import { hasRoom, perPage, printFormats, type QrChoice, qrChoices, voucherLink } from '@/model/guests/voucher-print'
import { type Template, templateFacts } from '@/model/guests/voucher-template'
import { limits } from '@/model/limits'
import { directionOf, type Locale } from '@/model/locales'
import { joinText } from '@/model/wifi/join'
import { call, type NetworkContext } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import { id } from '@/server/kernel/shapes'
import { wordsOf } from '@/server/kernel/words'
import { openCode } from './codes'
import { findGroup, type Judged, stateColumn } from './groups'
import { areKeys, keyOf } from './key-list'
import type { GroupRow } from './make'
import type { PrintJob } from './print/draw'
import { fileOf, findPrint, print } from './print/prints'
import { findTemplate } from './templates'
import { isKeyed, joins, type Wifi, wifiOf } from './wifi'
import { lastingText, readerLocale } from './wording'

const printing = { tag: 'guests', scope: 'network', authority: 'vouchers_print' } as const

const input = z.strictObject({
  groupId: id,
  /** Without them all that still let somebody in. */
  ids: z.array(id).min(1, 'required').max(limits.vouchersPerGroup, 'tooMany').optional(),
  /** How it looks; what is said beside it counts for nothing. */
  templateId: id.optional(),
  /** Needed without a template. */
  format: z.enum(printFormats).optional(),
  /** Of A4. */
  perPage: z.union(perPage.map(one => z.literal(one))).default(18),
  /** The Wi-Fi network that guests join, named on each. */
  ssid: z.uuid('notFound').optional(),
  qr: z.enum(qrChoices).default('voucher'),
})
type Input = z.output<typeof input>
/** As it is printed. */
type Look = Omit<Template, 'name'>
type SheetWords = (typeof words)['print']['sheet']

/** Expired and used up ones let nobody in. */
function printable({ runtime: { db } }: NetworkContext, judged: Judged, ids: readonly number[] | undefined) {
  const { unused, inUse } = voucherStates
  const good = sql`${stateColumn(judged)} IN (${unused}, ${inUse})`
  const named = ids && inArray(vouchers.id, [...ids])
  const where = and(eq(vouchers.group, judged.group.id), good, named)
  const found = db.select().from(vouchers).where(where).orderBy(vouchers.id).all()
  return found.length ? found : failFields({ ids: 'nothingToPrint' })
}

const enters = (qr: QrChoice) => qr === 'voucher' || qr === 'both'

/** The code holds the key: it is told to those alone who may change it. */
function mayTell({ actor }: NetworkContext, { qr }: Look, wifi: Wifi | undefined): void {
  const told = wifi?.key !== undefined && joins(qr) && !isKeyed(wifi)
  if (told && !actor.authorities.has('settings_wifi_edit')) failFields({ qr: 'noAuthority' })
}

/** What is asked for, by a template or word for word. */
function lookOf(context: NetworkContext, { templateId, format, perPage, ssid, qr }: Input): Look {
  if (templateId !== undefined) return findTemplate(context, templateId)
  if (format === undefined) return failFields({ format: 'required' })
  if (!hasRoom({ format, perPage, qr })) failFields({ qr: 'noRoom' })
  return { format, perPage, qr, heading: '', text: '', logo: '', facts: [...templateFacts], ...(ssid && { ssid }) }
}

type Facts = { group: GroupRow; look: Look; words: SheetWords; locale: Locale; differs: boolean }

/** `differs`: how long they last, which each says then. */
function factsOf({ group, look, words, locale, differs }: Facts): string[] {
  const number = (value: number) => new Intl.NumberFormat(locale).format(value)
  const { maxDevices, byteLimitMb } = group
  const said = {
    lasting: differs ? '' : lastingText(group.seconds, locale),
    devices: maxDevices === 0 ? words.anyDevices : words.devices.replace('{count}', number(maxDevices)),
    data: byteLimitMb === null ? '' : words.data.replace('{megabytes}', number(byteLimitMb)),
  }
  const wanted = (['lasting', 'devices', 'data'] as const).filter(fact => look.facts.includes(fact))
  return [...wanted.map(fact => said[fact]), look.text].filter(text => text !== '')
}

async function jobOf(context: NetworkContext, judged: Judged, wanted: Input): Promise<PrintJob> {
  const { runtime, network } = context
  const { group } = judged
  const look = lookOf(context, wanted)
  const wifi = wifiOf(context, look)
  mayTell(context, look, wifi)
  const rows = printable(context, judged, wanted.ids)
  const locale = readerLocale(context)
  const { print: said } = await wordsOf<typeof words>(locale, 'vouchers')
  const keyed = isKeyed(wifi) && areKeys(group)
  if (joins(look.qr) && isKeyed(wifi) && !keyed) failFields({ qr: 'noVoucherKeys' })
  const joinOf = (key: string) => (wifi ? (joinText(keyed ? { ...wifi, security: 'wpa2', key } : wifi) ?? '') : '')
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: network.timezone })
  const differs = look.facts.includes('lasting') && rows.some(row => row.addedSeconds > 0)
  const lastsOf = (row: (typeof rows)[number]) => (differs ? lastingText(termsOf(group, row).seconds, locale) : '')
  const untilOf = (row: (typeof rows)[number]) =>
    look.facts.includes('until') ? said.sheet.until.replace('{date}', day.format(validUntil(row, group))) : ''
  return {
    fonts: `${runtime.config.root}/node_modules/@fontsource-variable`,
    ...{
      format: look.format,
      perPage: look.perPage,
      qr: look.qr,
      rtl: directionOf(locale) === 'rtl',
      locale,
      logo: look.logo,
    },
    ...{ title: `${group.name} – ${network.name}`, heading: look.heading || group.name, label: said.sheet.code },
    captions: [said.sheet.join, said.sheet.enter],
    alternatives: [
      ...(wifi && joins(look.qr) ? [said.sheet.joinCode.replace('{name}', () => wifi.name)] : []),
      ...(enters(look.qr) ? [said.sheet.enterCode] : []),
    ],
    sub: wifi ? said.sheet.wifi.replace('{name}', () => wifi.name) : network.name,
    facts: factsOf({ group, look, words: said.sheet, locale, differs }),
    vouchers: rows.flatMap(row => {
      const code = openCode(runtime.secrets, row)
      if (code === undefined) return []
      const key = keyOf(runtime, network.id, code)
      const qrs = [...(joins(look.qr) ? [joinOf(key)] : []), ...(enters(look.qr) ? [voucherLink(code)] : [])]
      const own = [lastsOf(row), untilOf(row), ...(keyed ? [said.sheet.key.replace('{key}', key)] : [])]
      return [{ shown: shownCode(code), qrs, own: own.filter(text => text !== '') }]
    }),
  }
}

const start = call({
  ...printing,
  path: 'vouchers/groups/print',
  topics: ['vouchers'],
  changes: true,
  changelog: 'entry',
  send: 'once',
  input,
  /** A PDF, drawn in the background: {jobId, total}. `vouchers/groups/print/result` tells how far it is. */
  async run(context, wanted) {
    const { runtime, network, actor, now } = context
    const judged = { group: findGroup(runtime.db, network.id, wanted.groupId), zone: network.timezone, now }
    const job = await jobOf(context, judged, wanted)
    const total = job.vouchers.length
    if (total === 0) failFields({ ids: 'nothingToPrint' })
    const place = { organization: actor.organization, network: network.id, group: judged.group.id }
    const jobId = print(runtime, place, job)
    context.log({ action: 'print', object: 'vouchers', name: judged.group.name, fields: { quantity: [null, total] } })
    return { jobId, total }
  },
})

const result = call({
  ...printing,
  path: 'vouchers/groups/print/result',
  changes: false,
  input: z.strictObject({ jobId: z.uuid('notFound') }),
  run({ runtime, network }, { jobId }) {
    const { state, progress } = findPrint(runtime, network.id, jobId)
    return { state, ...progress }
  },
})

const file = call({
  ...printing,
  path: 'vouchers/groups/print/file',
  changes: false,
  get: true,
  input: z.strictObject({ jobId: z.uuid('notFound') }),
  /** The PDF, as long as the manager runs and few others were printed since. */
  run({ runtime, network, now }, { jobId }) {
    findPrint(runtime, network.id, jobId)
    const name = `vouchers-${new Date(now).toISOString().slice(0, 10)}.pdf`
    return new Response(new Uint8Array(fileOf(runtime, jobId)), {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      },
    })
  },
})

export const voucherPrintCalls = [start, result, file] as const
