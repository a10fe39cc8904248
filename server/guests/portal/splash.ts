import { contrast, on, readable } from '@/model/guests/colours'
import { directionOf, localeOf } from '@/model/locales'
import type { SplashFields, SplashText } from '@/model/profiles/splash'
import { acceptedOf } from './words'

// A splash page as one visitor sees it.

/** What the house says in one language. */
export type Said = Omit<SplashText, 'language'> & { language: string; direction: 'ltr' | 'rtl' }
export type Splash = {
  /** Rules of CSS: nothing but colours that were checked, and addresses of our own. */
  style: string
  said?: Said
  /** Addresses of pictures. */
  logo?: string
  ads?: Ads
}
/** What a house shows beside the ways in; `seconds`: before them. */
export type Ads = { images: readonly string[]; carousel: boolean; video?: string; seconds?: number }
/** The address of a file by its id; undefined where it is gone. */
export type FileAddress = (id: string) => string | undefined

/** Of the portal's own style, by which the rest is measured. */
const grounds = { light: ['#ffffff', '#eef1f2'], dark: ['#151b1f', '#0b0f11'] } as const

/** Letters on a picture are white on a shade of it, whatever it shows. */
const backgroundOf = (address: string | undefined) =>
  address === undefined
    ? ''
    : `header{background:linear-gradient(#0009,#0009),url("${address}") center/cover;color:#fff}header p{color:#fff}header svg{display:none}`

function lookOf({ colour, backdrop }: Pick<SplashFields, 'colour' | 'backdrop'>): string {
  const shade = (own: readonly string[]) =>
    `--primary:${colour};--on:${on(colour)};--link:${readable(colour, own)};--bar:${edge(own)}`
  // A button as pale or as dark as the page gets an edge.
  const edge = (own: readonly string[]) =>
    own.every(one => contrast(colour, one) >= 3) ? 'transparent' : readable(colour, own)
  const head = on(backdrop)
  return `:root{${shade(grounds.light)}}@media (prefers-color-scheme:dark){:root{${shade(grounds.dark)}}}button:not(.second),a.button:not(.second){border-color:var(--bar)}header{background:${backdrop};color:${readable(colour, [backdrop])}}header p{color:${head}}`
}

/** The first of the visitor's languages that the house speaks, else the house's first. */
function textFor(texts: readonly SplashText[], accept: string | null): SplashText | undefined {
  const wanted = acceptedOf(accept ?? '').map(tag => ({ tag, locale: localeOf(tag) }))
  // English is also what nothing is.
  const meant = wanted.filter(({ tag, locale }) => locale !== 'en' || /^en\b/i.test(tag))
  const found = meant.flatMap(({ locale }) => texts.find(one => one.language === locale) ?? [])
  return found[0] ?? texts[0]
}

/** How long an image stands (specification): they change each 3 s, a carousel moves on each 5 s. */
const adSeconds = { change: 3, carousel: 5 } as const

/** Images take turns by CSS alone: no script runs in the page. */
function adStyle({ images, carousel }: Ads): string {
  const count = images.length
  if (count < 2) return ''
  const each = 100 / count
  if (!carousel) {
    const all = count * adSeconds.change
    const delays = images.map((_, at) => `.ad img:nth-child(${at + 1}){animation-delay:${at * adSeconds.change}s}`)
    return `.ad.turns{display:grid}.ad.turns img{grid-area:1/1;opacity:0;animation:ad ${all}s infinite}@keyframes ad{0%,${each}%{opacity:1}${each + 0.01}%,100%{opacity:0}}${delays.join('')}.ad:hover img{animation-play-state:paused}`
  }
  const stops = images.map((_, at) => `${at * each}%,${(at + 0.9) * each}%{transform:translateX(${-100 * at}%)}`)
  return `.ad.turns{display:flex;direction:ltr}.ad.turns img{flex:none;animation:ad ${count * adSeconds.carousel}s infinite}@keyframes ad{${stops.join('')}100%{transform:none}}.ad:hover img{animation-play-state:paused}@media (prefers-reduced-motion:reduce){.ad.turns{overflow-x:auto}.ad.turns img{animation:none}}`
}

function adsOf(fields: SplashFields, addressOf: FileAddress): Ads | undefined {
  const { ads, adImages = [], adShow, adVideo, watchSeconds } = fields
  const seconds = watchSeconds === undefined ? {} : { seconds: watchSeconds }
  const images = adImages.flatMap(id => addressOf(id) ?? [])
  const video = adVideo && addressOf(adVideo)
  if (ads === 'images' && images.length > 0) return { images, carousel: adShow === 'carousel', ...seconds }
  return ads === 'video' && video ? { images: [], carousel: false, video, ...seconds } : undefined
}

export function splashFor(fields: SplashFields, accept: string | null, addressOf: FileAddress): Splash {
  const text = textFor(fields.texts, accept)
  const logo = fields.logo && addressOf(fields.logo)
  const background = fields.background && addressOf(fields.background)
  const ads = adsOf(fields, addressOf)
  return {
    style: lookOf(fields) + backgroundOf(background || undefined) + (ads ? adStyle(ads) : ''),
    ...(text && { said: { ...text, direction: directionOf(text.language) } }),
    ...(logo && { logo }),
    ...(ads && { ads }),
  }
}

/** What has to be accepted, in the language of the visitor where the house has it: nobody gets around it by a language. */
export const termsFor = (terms: string | undefined, splash: SplashFields | undefined, shown: Splash | undefined) =>
  shown?.said?.terms || terms || splash?.texts.find(one => one.terms)?.terms || undefined
