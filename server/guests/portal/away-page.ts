import type { AwayList } from '@/server/drivers/guests'
import { redirectPort } from '@/server/drivers/unix/gate-rules'
import type { Place } from '@/server/guests/sessions/place'
import { escaped, html } from '@/server/kernel/html'
import { entryPage } from './entry-page'
import { tick } from './look'
import { troublePage, type Whole, whole } from './page'
import { guessing } from './tries'

// The pages that a gateway shows by itself while the manager does not answer, with places for it to fill.

const place = (name: 'code' | 'wrong' | 'hours' | 'minutes') => `@lw-${name}@`

type House = Whole & { place: Place; terms: string | undefined }

function onlineHere(house: Whole): string {
  const { say } = house.speech
  const left = say('online.hours', { hours: place('hours'), minutes: place('minutes') })
  const body = html`${tick}<h1>${say('online.title')}</h1><div><p class="small">${say('online.timeLeft')}</p><p class="big">${left}</p></div><p class="small">${say('away.keep')}</p>`
  return whole(house, say('online.title'), body)
}

/** Where guests find the gateway in this LAN. */
const gatewayOf = ({ address = '' }: Place) => `http://${address.split('/')[0]}:${redirectPort}/`

/** Whether vouchers are one of the ways in; a gateway keeps no schedule of the portal's. */
export const takesVouchers = ({ policy, address, hours }: Place): boolean =>
  policy.methods.includes('voucher') && address !== undefined && hours === undefined

export function awayPages({ place: of, ...house }: House): AwayList['pages'][number] {
  const { speech } = house
  const { say } = speech
  const minutes = guessing.minutes
  const online = onlineHere(house)
  const closed = troublePage(house, 'away')
  if (!takesVouchers(of)) return { lan: of.lan, entry: closed, wrong: closed, online, say: {} }
  const form = {
    ...house,
    ...{ policy: { methods: ['voucher' as const], questions: [] }, proof: {}, leads: gatewayOf(of) },
    typed: (field: string) => (field === 'code' ? place('code') : ''),
  }
  const words = {
    codeMissing: say('errors.codeMissing'),
    mistyped: say('errors.mistyped'),
    unavailable: say('errors.unavailable'),
    usedUp: say('errors.usedUp'),
    devicesFull: say('errors.devicesFull'),
    terms: say('errors.terms'),
    locked: say('errors.locked', { minutes }),
    gateway: say('errors.gateway'),
    blocked: `${say('blocked.title')}. ${say('blocked.help')}`,
  }
  return {
    ...{ lan: of.lan, online, entry: entryPage(form) },
    wrong: entryPage({ ...form, wrong: [{ field: 'code', text: place('wrong') }] }),
    say: Object.fromEntries(Object.entries(words).map(([name, text]) => [name, escaped(text)])),
  }
}
