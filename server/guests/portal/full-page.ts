import type { UsedPlace } from '@/server/guests/sessions/voucher-places'
import { type Html, html } from '@/server/kernel/html'
import { insteadField } from './by-voucher'
import { hidden, type Proof, type Whole, whole } from './page'

// A voucher is used on as many devices as it is good for: which of them gives up its place.

export type Full = Whole & {
  proof: Proof
  /** As it was typed. */
  code: string
  /** Whoever did nothing for longest first. */
  places: readonly UsedPlace[]
  /** The device that was chosen has no place any more. */
  gone: boolean
  /** The same page from its beginning. */
  other: string
  now: number
}

/** The end of an address is what tells one's own devices apart, and gives none away. */
const endOf = (mac: string): string => mac.slice(-5).toUpperCase()

function choice({ speech, now }: Full, { name, mac, activeAt, isIn }: UsedPlace, first: boolean): Html {
  const { say, moment } = speech
  const [device, rest = ''] = say('full.device', { end: '\u0000' }).split('\u0000')
  const used = isIn ? say('full.isIn') : say('full.active', { moment: moment(activeAt, now) })
  return html`<label class="check"><input type="radio" name="${insteadField}" value="${name}"${first && html` checked`}><span>${device}<bdi dir="ltr">${endOf(mac)}</bdi>${rest}<br><span class="small">${used}</span></span></label>`
}

/** Needs no script: a form with a choice and one button. */
export function fullPage(page: Full): string {
  const { speech, proof, code, places, gone, other } = page
  const { say } = speech
  const sent = { ...proof, code, terms: '1' }
  const note = gone && html`<p class="error note" role="alert">${say('full.gone')}</p>`
  const each = places.map((one, at) => choice(page, one, at === 0))
  const form = html`<form method="post">${hidden(sent)}<fieldset><legend>${say('full.choose')}</legend>${each}</fieldset><button name="method" value="voucher">${say('full.submit')}</button></form>`
  const body = html`<h1>${say('full.title')}</h1><p>${say('full.help')}</p>${note}${form}<a class="button second" href="${other}">${say('full.other')}</a>`
  return whole(page, say(gone ? 'titleWrong' : 'full.title'), body)
}
