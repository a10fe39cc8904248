import * as z from 'zod'
import { f } from '../fields'
import { guestFields } from '../guests/guest-fields'
import { credentialMethods, personalMethods } from '../guests/methods'
import { choicesOf, questionTypes } from '../guests/questions'
import { wifi4euHost, wifi4euLanguages } from '../guests/wifi4eu'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { dataBytes, rateKbps } from '../rules'

const fields = z.strictObject({
  /** Rule G1. */
  name: f.name(32, 'G1'),
  /** Rule G19: at least one. */
  methods: f.checks(['free', 'simplePassword', 'voucher', 'form', 'email', 'sms', 'radius', 'directory', 'external']),
  /** Rule A11. */
  password: guestFields.simplePassword().optional(),
  /** Rule G12: so long it lets in, from when it was set; absent: without an end. */
  passwordDays: f
    .int(limits.voucherValidityDays.min, limits.voucherValidityDays.max, { unit: 'days', rule: 'G12' })
    .optional(),
  /** What is asked of whom the form lets in. */
  questions: f
    .rows(
      {
        label: f.name(64),
        type: f.choice(questionTypes, { menu: true }).default('text'),
        choices: f.text(limits.choicesCharacters).optional(),
        required: f.boolean().default(true),
      },
      { max: limits.portalQuestions, unique: ['label'] },
    )
    .default([]),
  /** Rule A20; absent: in the guest's language. */
  letter: guestFields.codeLetter().optional(),
  /** So long somebody is in to read the letter with the code; 0: not at all. */
  mailMinutes: f.int(0, 10, { unit: 'minutes' }).default(0),
  /** By which codes go as text messages. */
  sms: f.ref('smsGateway').optional(),
  /** Rule A20; absent: in the guest's language. */
  smsText: guestFields.codeLetter(limits.smsTextCharacters).optional(),
  /** Asked for a name and password; rule G3. */
  radius: f.ref('radius').optional(),
  /** How the server is asked whether a password is right. */
  radiusMethod: f.choice(['pap', 'chap', 'mschapv2'], { menu: true }).default('pap'),
  directoryType: f.choice(['ldap', 'activeDirectory'], { menu: true }).default('ldap'),
  directorySecurity: f.choice(['ldaps', 'starttls'], { menu: true }).default('ldaps'),
  directoryHost: f.server().optional(),
  directoryPort: f.port().default(636),
  /** Of who signed the server's certificate; absent: the authorities that all know. */
  directoryCa: f.certificates(limits.directoryCaCharacters).optional(),
  /** Rule G4: who searches; absent: without a login, where the directory allows it. */
  directoryAdmin: f.name(64, 'G4').optional(),
  directorySecret: f
    .secret(1, 32, {
      rule: 'G4',
      sentTo: ['directoryHost', 'directoryPort', 'directorySecurity', 'directoryCa', 'directoryAdmin'],
    })
    .optional(),
  directoryBase: f.name(limits.directoryTextCharacters).optional(),
  /** What else an entry has to be. */
  directoryCondition: f.ldapCondition(limits.directoryTextCharacters).optional(),
  /** Rule G2: a page of the house's own, elsewhere, which decides who comes in. */
  externalPage: f.url().optional(),
  /** Rule G5: by which it is told who asks, and its answers are known. */
  externalKey: guestFields.externalKey().optional(),
  /** When answers, addresses and names are forgotten, counted from the end of a session. */
  keepDays: f.int(0, limits.guestDays, { unit: 'days' }).default(limits.guestDays),
  /** Rule G21: how long a guest stays in who came without a voucher; a voucher says so itself. */
  days: f.int(0, 365, { unit: 'days', rule: 'G21' }).default(0),
  hours: f.int(0, 23, { unit: 'hours', rule: 'G21' }).default(8),
  minutes: f.int(0, 59, { unit: 'minutes', rule: 'G21' }).default(0),
  /** Rule W18. */
  idleMinutes: f.int(5, 1440, { unit: 'minutes', rule: 'W18' }).default(5),
  /** Off: a device that fell silent goes on with what is left of its session, and is asked nothing. */
  idleSignIn: f.boolean().default(true),
  /** When every session is over, each day by the clock of the network; absent: by its own time alone. */
  signInAt: f.time().optional(),
  /** Rule G10: devices that are in at a time by the same name, address or number, or by the password; a voucher says its own. */
  maxDevices: f.int(limits.voucherDevices.min, limits.voucherDevices.max, { rule: 'G10' }).default(0),
  /** Rule G16: when guests may be in, on the clock of the network. None: always. */
  schedule: f.ref('schedule').optional(),
  /** Whose use of a day and month is limited: each device's in all, or each device's by each way in; vouchers say their own. */
  useLimit: f.choice(['off', 'client', 'method'], { menu: true }).default('off'),
  /** From midnight to midnight by the network's clock. */
  dailyMinutes: f.int(1, 1439, { unit: 'minutes' }).optional(),
  /** Rule G13: both directions together. */
  dailyData: f.data().optional(),
  monthlyData: f.data().optional(),
  /** Rule G17: of each guest; a voucher's own rate wins. Absent: as fast as the network is. */
  download: f.rate().optional(),
  upload: f.rate().optional(),
  /** What guests reach before they are in, by name or address. */
  walledGarden: f.lines(f.destination(), { max: limits.walledGarden }).default([]),
  /** Rule G2: where a guest is led who is in; absent: nowhere. */
  landing: f.url().optional(),
  /** A name of the network by which guests find their page, also once they are in; the gateway answers it. */
  pageName: f.domain().default('wifi.internal'),
  /**
   * Whether phones are told of the portal by DHCP (RFC 8910): where they trust its certificate without more, with any that
   * somebody else signed, never.
   */
  announce: f.choice(['known', 'issued', 'off'], { menu: true }).default('known'),
  /** How the page looks and what it says; absent: as the product's own. */
  splash: f.ref('splash').optional(),
  /** Whether the page shows the banner of WiFi4EU, and guests are counted there. */
  wifi4eu: f.boolean().default(false),
  wifi4euLanguage: f.choice(wifi4euLanguages, { menu: true }).default('en'),
  /** The installation's UUID, "network_uuid" of the Commission's snippet. */
  wifi4euNetwork: guestFields.wifi4euNetwork().optional(),
  /** What has to be accepted first, unless the splash page says other terms; absent: nothing. */
  terms: f.block(limits.termsCharacters).optional(),
})
export type PortalFields = z.output<typeof fields>

/** A form that is new has chosen none yet. */
type Methods = Partial<Pick<PortalFields, 'methods'>>
const having =
  (...wanted: readonly PortalFields['methods'][number][]) =>
  ({ methods = [] }: Methods) =>
    methods.some(one => wanted.includes(one))
const withPassword = having('simplePassword')
const withForm = having('form')
const withMail = having('email')
const withSms = having('sms')
const withRadius = having('radius')
const withDirectory = having('directory')
const withExternal = having('external')
const withWifi4eu = ({ wifi4eu = false }: Partial<Pick<PortalFields, 'wifi4eu'>>) => wifi4eu
const withAdmin = (value: PortalFields) => withDirectory(value) && value.directoryAdmin !== undefined
const withPersons = having(...personalMethods)
const withCredential = having(...credentialMethods)
const withLength = ({ methods = [] }: Methods) => methods.some(one => one !== 'voucher')
const withLimit = (value: Methods & Partial<Pick<PortalFields, 'useLimit'>>) =>
  withLength(value) && (value.useLimit ?? 'off') !== 'off'

/** A name or an address, without brackets. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')
const isOpened = (url: string): boolean => f.destination().safeParse(hostOf(url)).success

/** What guests reach before they are in: what is set, and whatever the ways in need. */
export function openDestinations({
  walledGarden,
  methods = [],
  externalPage: page,
  wifi4eu,
}: Pick<PortalFields, 'walledGarden'> & Partial<Pick<PortalFields, 'methods' | 'externalPage' | 'wifi4eu'>>): string[] {
  const isLed = page !== undefined && withExternal({ methods })
  return [...new Set([...walledGarden, ...(isLed ? [hostOf(page)] : []), ...(wifi4eu ? [wifi4euHost] : [])])]
}

/** What a guest is given who came without a voucher; kbit/s. A voucher says its own seconds, bytes and rates. */
export const guestBounds = ({ days, hours, minutes, idleMinutes, download, upload }: PortalFields) => ({
  seconds: ((days * 24 + hours) * 60 + minutes) * 60,
  idleSeconds: idleMinutes * 60,
  ...(download && { download: rateKbps(download) }),
  ...(upload && { upload: rateKbps(upload) }),
})

/** How guests of a network get in, for how long and how fast; LAN networks refer to one. */
export const portal = kind({
  id: 'portal',
  area: 'profiles',
  scope: 'network',
  max: limits.portals,
  title: 'name',
  columns: ['name', 'methods', 'download', 'upload'],
  fields,
  sections: [
    section('access', [
      'name',
      'methods',
      field('password', { when: withPassword }),
      field('passwordDays', { when: withPassword, beside: true }),
    ]),
    section('questions', [field('questions', { when: withForm })]),
    section('email', [field('letter', { when: withMail }), field('mailMinutes', { when: withMail })]),
    section('sms', [field('sms', { when: withSms }), field('smsText', { when: withSms })]),
    section('radius', [field('radius', { when: withRadius }), field('radiusMethod', { when: withRadius })]),
    section('directory', [
      field('directoryType', { when: withDirectory }),
      field('directorySecurity', { when: withDirectory, beside: true }),
      field('directoryHost', { when: withDirectory }),
      field('directoryPort', { when: withDirectory, beside: true }),
      field('directoryCa', { when: withDirectory }),
      field('directoryAdmin', { when: withDirectory }),
      field('directorySecret', { when: withAdmin, beside: true }),
      field('directoryBase', { when: withDirectory }),
      field('directoryCondition', { when: withDirectory }),
    ]),
    section('external', [field('externalPage', { when: withExternal }), field('externalKey', { when: withExternal })]),
    section('privacy', [field('keepDays', { when: withPersons })]),
    section('session', [
      field('days', { when: withLength }),
      field('hours', { when: withLength, beside: true }),
      field('minutes', { when: withLength, beside: true }),
      'idleMinutes',
      'idleSignIn',
      'signInAt',
      'schedule',
      field('maxDevices', { when: withCredential }),
    ]),
    section('limits', [
      field('useLimit', { when: withLength }),
      field('dailyMinutes', { when: withLimit }),
      field('dailyData', { when: withLimit }),
      field('monthlyData', { when: withLimit, beside: true }),
    ]),
    section('rates', ['download', field('upload', { beside: true })]),
    section('page', ['splash', 'terms', 'landing', 'pageName']),
    section('wifi4eu', [
      'wifi4eu',
      field('wifi4euNetwork', { when: withWifi4eu }),
      field('wifi4euLanguage', { when: withWifi4eu }),
    ]),
    section('before', ['walledGarden', 'announce']),
  ],
  rules: [
    rule('required', 'password', (value: PortalFields) => !withPassword(value) || value.password !== undefined),
    rule('required', 'questions', (value: PortalFields) => !withForm(value) || value.questions.length > 0),
    rule('questionChoices', 'questions', ({ questions }: PortalFields) =>
      questions.every(one => (one.type === 'choice') === choicesOf(one).length > 0),
    ),
    rule('required', 'sms', (value: PortalFields) => !withSms(value) || value.sms !== undefined),
    rule('required', 'radius', (value: PortalFields) => !withRadius(value) || value.radius !== undefined),
    rule('required', 'directoryHost', (v: PortalFields) => !withDirectory(v) || v.directoryHost !== undefined),
    rule('required', 'directoryBase', (v: PortalFields) => !withDirectory(v) || v.directoryBase !== undefined),
    rule('required', 'directorySecret', (v: PortalFields) => !withAdmin(v) || v.directorySecret !== undefined),
    rule('required', 'externalPage', (v: PortalFields) => !withExternal(v) || v.externalPage !== undefined),
    // The gateway opens its host, by name or by address.
    rule('urlHost', 'externalPage', ({ externalPage: page }: PortalFields) => page === undefined || isOpened(page)),
    rule('required', 'wifi4euNetwork', (v: PortalFields) => !withWifi4eu(v) || v.wifi4euNetwork !== undefined),
    rule('required', 'externalKey', (v: PortalFields) => !withExternal(v) || v.externalKey !== undefined),
    rule(
      'useLimitNone',
      'dailyMinutes',
      (v: PortalFields) => !withLimit(v) || [v.dailyMinutes, v.dailyData, v.monthlyData].some(one => one !== undefined),
    ),
    // Rule G13.
    rule(
      'dailyAboveMonthly',
      'dailyData',
      ({ dailyData: daily, monthlyData: monthly }: PortalFields) =>
        daily === undefined || monthly === undefined || dataBytes(daily) <= dataBytes(monthly),
    ),
    // Rule G21.
    rule(
      'durationZero',
      'minutes',
      (value: PortalFields) => !withLength(value) || value.days + value.hours + value.minutes > 0,
    ),
  ],
})
