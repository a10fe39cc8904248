import { type Html, html } from '@/server/kernel/html'
import { beacon, style, tick } from './look'
import type { Splash } from './splash'
import type { Speech } from './words'

// The guests' pages: one HTML document each, which needs no script, no storage and no second request.

export type Whole = { speech: Speech; house: string; splash?: Splash | undefined }
/** What of the redirect, or which token, goes along with each form. */
export type Proof = Readonly<Record<string, string>>

export const hidden = (values: Proof): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

export function whole({ speech, house, splash }: Whole, title: string, body: Html, head?: Html): string {
  const { locale, direction } = speech
  return `<!doctype html>${
    html`<html lang="${locale}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="data:,">${head}<title>${title} · ${house}</title><style>${{ html: style + (splash?.style ?? '') }}</style></head><body><header>${splash?.logo ? html`<img class="logo" src="${splash.logo}" alt="">` : beacon}<p dir="auto">${house}</p></header><main>${body}</main></body></html>`
      .html
  }`
}

/** What the house advertises; absent: nothing. */
export function adOf({ splash, speech }: Whole): Html | undefined {
  const { images = [], video } = splash?.ads ?? {}
  const label = speech.say('ad.label')
  if (video)
    return html`<div class="ad"><video src="${video}" aria-label="${label}" controls muted autoplay playsinline preload="auto"></video></div>`
  if (images.length === 0) return undefined
  const each = images.map(one => html`<img src="${one}" alt="">`)
  return html`<div class="ad${images.length > 1 && ' turns'}" role="img" aria-label="${label}">${each}</div>`
}

/** Before the ways in, so long it has to be watched; `on`: the same address again. */
export function adPage(page: Whole & { seconds: number; on: string }): string {
  const { seconds, on, speech } = page
  const { say } = speech
  const head = html`<meta http-equiv="refresh" content="${seconds};url=${on}">`
  const body = html`<h1>${say('ad.title')}</h1><p>${say('ad.wait', { seconds })}</p>${adOf(page)}<a class="button second" href="${on}">${say('ad.on')}</a>`
  return whole(page, say('ad.title'), body, head)
}

/** To a page elsewhere; `to`: its address, by the policy. */
export function leadPage({ to, ...page }: Whole & { to: string }): string {
  const { say } = page.speech
  const head = html`<meta http-equiv="refresh" content="0;url=${to}">`
  const body = html`<h1>${say('external.title')}</h1><p>${say('external.help')} <bdi>${new URL(to).host}</bdi></p><a class="button" href="${to}" rel="noreferrer">${say('external.on')}</a>`
  return whole(page, say('external.title'), body, head)
}

/** Whose session can go on with one press, on a device that calls itself something else now. */
export function resumePage({ proof, other, ...page }: Whole & { proof: Proof; other: string }): string {
  const { say } = page.speech
  const body = html`<h1>${say('back')}</h1><p>${say('resume.help')}</p><form method="post">${hidden(proof)}<button name="act" value="resume">${say('resume.submit')}</button></form><a class="button second" href="${other}">${say('resume.other')}</a>`
  return whole(page, say('title'), body)
}

export type Online = Whole & {
  now: number
  /** Unix ms. */
  ends: number
  label: string
  bytesLeft?: number
  byteLimit?: number
  /** kbit/s. */
  download?: number
  upload?: number
  landing?: string
  /** What the guest asked for: shown, and led nowhere. */
  wanted?: string
  /** By which this page is found again. */
  name?: string | undefined
  proof: Proof
}

function leftOf({ say }: Speech, ms: number): string {
  const all = Math.max(0, Math.floor(ms / 60_000))
  const [days, hours, minutes] = [Math.floor(all / 1440), Math.floor(all / 60) % 24, all % 60]
  if (days > 0) return say('online.days', { days, hours })
  return hours > 0 ? say('online.hours', { hours, minutes }) : say('online.minutes', { minutes })
}

const rate = (speech: Speech, kbps: number): string =>
  `${new Intl.NumberFormat(speech.locale, { maximumFractionDigits: 1 }).format(kbps / 1000)} Mbit/s`

function speedOf({ speech, download, upload }: Online): string | undefined {
  const [down, up] = [download, upload].map(one => (one === undefined ? undefined : rate(speech, one)))
  if (down && up) return speech.say('online.speedBoth', { down, up })
  if (down) return speech.say('online.speedDown', { down })
  return up && speech.say('online.speedUp', { up })
}

function factsOf(page: Online): Html | undefined {
  const { say, bytes } = page.speech
  const { label, bytesLeft, byteLimit } = page
  const speed = speedOf(page)
  const data =
    bytesLeft !== undefined && byteLimit !== undefined
      ? say('online.ofBytes', { left: bytes(bytesLeft), all: bytes(byteLimit) })
      : undefined
  if (!label && !data && !speed) return undefined
  const line = (term: string, text: string | undefined) =>
    text ? html`<dt>${term}</dt><dd dir="auto">${text}</dd>` : undefined
  return html`<dl>${line(say('online.voucher'), label)}${line(say('online.dataLeft'), data)}${line(say('online.speed'), speed)}</dl>`
}

/** What whoever is in sees: what is left, and the way out. */
export function onlinePage(page: Online): string {
  const { speech, now, ends, landing, wanted, proof, name } = page
  const { say } = speech
  const until = say('online.until', { moment: speech.moment(ends, now) })
  const on = landing && html`<a class="button" href="${landing}" rel="noreferrer">${say('online.continue')}</a>`
  const asked = wanted && html`<p class="wanted">${say('online.wanted')} <bdi>${wanted}</bdi></p>`
  const body = html`${tick}<h1>${say('online.title')}</h1><p>${until}</p><div><p class="small">${say('online.timeLeft')}</p><p class="big">${leftOf(speech, ends - now)}</p></div>${factsOf(page)}${on || undefined}${asked || undefined}<form method="post">${hidden(proof)}<button class="second" name="act" value="leave">${say('online.leave')}</button></form><p class="small">${name === undefined ? say('online.keep') : namedIn(page.speech, name)}</p>`
  return whole(page, say('online.title'), body)
}

/** A name is read from left to right, whatever the sentence is. */
function namedIn({ say }: Speech, name: string): Html {
  const [before, after = ''] = say('online.find', { name: '\u0000' }).split('\u0000')
  return html`${before}<bdi dir="ltr">${name}</bdi>${after}`
}

export function outPage(page: Whole): string {
  const { say } = page.speech
  return whole(page, say('out.title'), html`<h1>${say('out.title')}</h1><p>${say('out.help')}</p>`)
}

/** `until`: by the clock of the house; absent: for good. */
export function blockedPage({ until, ...page }: Whole & { until?: string }): string {
  const { say } = page.speech
  const title = say('blocked.title')
  const end = until && html`<p>${say('blocked.until', { moment: until })}</p>`
  return whole(page, title, html`<h1>${title}</h1>${end || undefined}<p>${say('blocked.help')}</p>`)
}

/** Outside of the portal's schedule; `next`: when it opens, by the clock of the house, absent where nobody knows. */
export function hoursPage({ next, ...page }: Whole & { next?: string }): string {
  const { say } = page.speech
  const title = say('hours.title')
  const opens = next && html`<p>${say('hours.next', { moment: next })}</p>`
  return whole(page, title, html`<h1>${title}</h1><p>${say('hours.help')}</p>${opens || undefined}`)
}

export function troublePage(page: Whole, what: 'old' | 'forged' | 'closed' | 'away'): string {
  const { say } = page.speech
  const title = say(`trouble.${what}.title`)
  return whole(page, title, html`<h1>${title}</h1><p>${say(`trouble.${what}.help`)}</p>`)
}
