import * as z from 'zod'
import { isReceiver } from '../email'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'
import { isWebUrl } from '../rules'
import { type Place, placesOf, servicePlaces, services } from './services'

const secretCharacters = limits.ownSecretCharacters

const fields = z.strictObject({
  name: f.name(limits.apiKeyNameCharacters),
  enabled: f.boolean().default(true),
  service: f.choice(services, { menu: true }),
  to: f.lines(f.email(), { max: limits.noticeRecipients }).optional(),
  /** Whoever has it may write into the channel: kept as a secret. */
  url: f.secret(1, secretCharacters).optional(),
  server: f.origin().optional(),
  token: f.secret(1, secretCharacters, { sentTo: ['service', 'server'] }).optional(),
  room: f.name(limits.textCharacters).optional(),
  chat: f.name(64).optional(),
  topic: f.name(64).optional(),
  host: f.server().optional(),
  port: f.port().optional(),
  protocol: f.choice(['udp', 'tcp'], { menu: true }).optional(),
  community: f.secret(1, 64, { sentTo: ['service', 'host', 'port'] }).optional(),
  /** Only alerts at least as grave: 5 emergency, 10 warning, 15 notice. */
  level: f.choice(['5', '10', '15'], { menu: true }).default('15'),
  /** Only what nobody has acknowledged so long after others were told; absent: at once. */
  afterMinutes: f.int(1, 1440, { unit: 'minutes' }).optional(),
})
export type NoticeTarget = z.output<typeof fields>

const places: readonly Place[] = [...new Set(services.flatMap(placesOf))]
const has = (place: Place) => (v: NoticeTarget) => placesOf(v.service).includes(place)
const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
const demanded = (place: Place) =>
  rule<NoticeTarget>('required', place, v => !servicePlaces[v.service].needs.includes(place) || isGiven(v[place]))

/** Room ids and aliases begin so (Matrix specification, appendix 4.2); topics of ntfy are a part of its addresses. */
const formats: Partial<Record<Place, RegExp>> = {
  room: /^[!#]\S+$/,
  chat: /^(-?\d+|@\w+)$/,
  topic: /^[\w-]{1,64}$/,
}
const formed = Object.entries(formats).map(([place, format]) =>
  rule<NoticeTarget>('invalidFormat', place, v => {
    const value = v[place as Place]
    return value === undefined || format.test(String(value))
  }),
)

/** One place that an organization's alerts are told to, by a service that people or machines read. */
export const noticeTarget = single({
  id: 'noticeTarget',
  area: 'alerts',
  scope: 'organization',
  title: 'name',
  fields,
  sections: [
    section('target', [
      'name',
      'enabled',
      'service',
      ...places.map(place => field(place, { when: has(place) })),
      'level',
      'afterMinutes',
    ]),
  ],
  rules: [
    ...places.map(demanded),
    ...formed,
    rule<NoticeTarget>('receiverLong', 'to', v => (v.to ?? []).every(isReceiver)),
    rule<NoticeTarget>('urlFormat', 'url', v => v.url === undefined || isWebUrl(v.url)),
    rule<NoticeTarget>('urlUser', 'url', v => !/^[^/]*\/\/[^/?#]*@/.test(v.url ?? '')),
  ],
})
