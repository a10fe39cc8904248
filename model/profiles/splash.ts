import * as z from 'zod'
import { f } from '../fields'
import { guestFields } from '../guests/guest-fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { locales } from '../locales'

const fields = z.strictObject({
  name: f.name(32),
  /** Of buttons and links; made lighter or darker where it could not be read. */
  colour: guestFields.colour().default('#0b6b80'),
  /** Behind the house's name. */
  backdrop: guestFields.colour().default('#0a2c35'),
  logo: guestFields.file('logo').optional(),
  /** Behind the logo and the house's name. */
  background: guestFields.file('background').optional(),
  /** What guests see before or beside the ways in. */
  ads: f.choice(['off', 'images', 'video']).default('off'),
  adImages: guestFields.files('adImage', limits.adImages).default([]),
  /** Images change at once each 3 s, or move on each 5 s. */
  adShow: f.choice(['change', 'carousel']).default('change'),
  adVideo: guestFields.file('adVideo').optional(),
  /** Rule G7: so long it is watched before the ways in show; absent: they stand below it. */
  watchSeconds: f.int(1, 300, { unit: 'seconds', rule: 'G7' }).optional(),
  /** The house's own page, in place of this one where a guest comes to it. */
  page: guestFields.file('page').optional(),
  /** Guests see those in their language, else the first; what is absent is the portal's own. */
  texts: f
    .rows(
      {
        language: f.choice(locales, { menu: true }),
        title: f.text(limits.splashTitleCharacters).optional(),
        text: f.prose(limits.splashTextCharacters).optional(),
        terms: f.prose(limits.termsCharacters).optional(),
      },
      { max: locales.length, unique: ['language'] },
    )
    .default([]),
})
export type SplashFields = z.output<typeof fields>
export type SplashText = SplashFields['texts'][number]

type Ads = Partial<Pick<SplashFields, 'ads'>>
const withImages = ({ ads }: Ads) => ads === 'images'
const withVideo = ({ ads }: Ads) => ads === 'video'
const withAds = (value: Ads) => withImages(value) || withVideo(value)

/** How a portal's page looks and what it says; portals refer to one. */
export const splash = kind({
  id: 'splash',
  area: 'profiles',
  scope: 'network',
  max: limits.splashes,
  title: 'name',
  columns: ['name', 'colour', 'ads'],
  fields,
  sections: [
    section('look', ['name', 'logo', 'background', 'colour', 'backdrop']),
    section('texts', ['texts']),
    section('ads', [
      'ads',
      field('adImages', { when: withImages }),
      field('adShow', { when: withImages }),
      field('adVideo', { when: withVideo }),
      field('watchSeconds', { when: withAds }),
    ]),
    section('own', ['page']),
  ],
  rules: [
    // Rule G19.
    rule('mediaMissing', 'adImages', (value: SplashFields) => !withImages(value) || value.adImages.length > 0),
    rule('mediaMissing', 'adVideo', (value: SplashFields) => !withVideo(value) || value.adVideo !== undefined),
  ],
})
