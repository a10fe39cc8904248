import type { CodeWay, GuestMethod } from '@/model/guests/methods'
import { choicesOf, type Question } from '@/model/guests/questions'
import { limits } from '@/model/limits'
import type { PortalFields } from '@/model/profiles/portal'
import { type Html, html } from '@/server/kernel/html'
import type { Wrong } from './attempt'
import { codeField } from './by-code'
import { answerField } from './by-form'
import { loginFields } from './by-login'
import { adOf, hidden, type Proof, type Whole, whole } from './page'
import type { Wifi4eu } from './wifi4eu'

// Where a guest gets in: one form with a button for each way, and the step after a code was mailed.

export type Entry = Whole & {
  policy: Pick<PortalFields, 'methods' | 'questions'>
  terms?: string | undefined
  proof: Proof
  /** Where the form leads by its address alone; absent: to the page itself, in its body. */
  leads?: string
  wifi4eu?: Wifi4eu | undefined
  wrong?: readonly Wrong[]
  /** What was sent before, by field; what is secret is typed again. */
  typed?: (field: string) => string
}

const wrongAt = (field: string, { wrong = [] }: Pick<Entry, 'wrong'>) => wrong.find(one => one.field === field)
const message = (field: string, wrong: Wrong | undefined): Html | undefined =>
  wrong && html`<p class="error" id="${field}-wrong" role="alert">${wrong.text}</p>`
/** The first of those that are wrong is where to go on. */
const marks = (field: string, { wrong = [] }: Pick<Entry, 'wrong'>): Html | undefined =>
  wrongAt(field, { wrong }) &&
  html` aria-invalid="true" aria-describedby="${field}-wrong"${wrong[0]?.field === field && html` autofocus`}`

/** How a text is typed: what keyboards and browsers of phones make of it. */
type Typing = {
  type?: string
  mode?: string
  complete?: string
  capitals?: string
  look?: string
  ltr?: boolean
  most?: number
}
const machine: Typing = { capitals: 'none', ltr: true, most: 64 }
const typings = {
  code: { ...machine, capitals: 'characters', look: 'code' },
  password: machine,
  sentCode: { ...machine, look: 'code', mode: 'numeric', complete: 'one-time-code' },
  email: { ...machine, type: 'email', complete: 'email', most: 254 },
  phone: { ...machine, type: 'tel', complete: 'tel', most: limits.answerCharacters },
  name: { ...machine, complete: 'username', most: 253 },
  secret: { ...machine, type: 'password', complete: 'current-password', most: 128 },
  text: { capitals: 'sentences', most: limits.answerCharacters },
} as const satisfies Record<string, Typing>

/** A text field with its label above and what is wrong with it below. */
function textField(entry: Entry, field: string, label: string, typing: Typing, value = ''): Html {
  const { type = 'text', mode, complete = 'off', capitals = 'none', look, ltr, most = 64 } = typing
  const kind = html`${look && html` class="${look}"`} type="${type}"${mode && html` inputmode="${mode}"`}`
  return html`<div class="field"><label for="${field}">${label}</label><input${kind} id="${field}" name="${field}" value="${value}" dir="${ltr ? 'ltr' : 'auto'}" maxlength="${most}" autocomplete="${complete}" autocapitalize="${capitals}" spellcheck="false"${marks(field, entry)}>${message(field, wrongAt(field, entry))}</div>`
}

function checkField(entry: Entry, field: string, label: string, ticked: boolean): Html {
  return html`<div class="field"><label class="check"><input type="checkbox" name="${field}" value="1"${ticked && html` checked`}${marks(field, entry)}><span>${label}</span></label>${message(field, wrongAt(field, entry))}</div>`
}

function choiceField(entry: Entry, field: string, label: string, choices: readonly string[], chosen: string): Html {
  const options = ['', ...choices].map(
    one => html`<option value="${one}"${one === chosen && html` selected`}>${one || '–'}</option>`,
  )
  return html`<div class="field"><label for="${field}">${label}</label><select id="${field}" name="${field}"${marks(field, entry)}>${options}</select>${message(field, wrongAt(field, entry))}</div>`
}

function questionField(entry: Entry, question: Question, at: number): Html {
  const field = answerField(at)
  const value = entry.typed?.(field) ?? ''
  const { type, required } = question
  const label = required ? question.label : entry.speech.say('optional', { label: question.label })
  if (type === 'check') return checkField(entry, field, label, value !== '')
  if (type === 'choice') return choiceField(entry, field, label, choicesOf(question), value)
  return textField(entry, field, label, typings[type], value)
}

/** A name and its password, which a browser may keep. */
function loginOf(entry: Entry, method: keyof typeof loginFields): Html {
  const { say } = entry.speech
  const { name, password } = loginFields[method]
  return html`${textField(entry, name, say('name'), typings.name, entry.typed?.(name))}${textField(entry, password, say('password'), typings.secret)}`
}

const button = (method: GuestMethod, label: string, second: boolean): Html =>
  html`<button name="method" value="${method}"${second && html` class="second"`}>${label}</button>`

type Label = `with${'Voucher' | 'Password' | 'Form' | 'Email' | 'Sms' | 'Login' | 'Directory' | 'External'}` | 'free'
type Way = { label: Label; fields?(entry: Entry): Html }

const ways: Record<GuestMethod, Way> = {
  voucher: {
    label: 'withVoucher',
    fields: entry => textField(entry, 'code', entry.speech.say('code'), typings.code, entry.typed?.('code')),
  },
  simplePassword: {
    label: 'withPassword',
    fields: entry => textField(entry, 'password', entry.speech.say('password'), typings.password),
  },
  form: {
    label: 'withForm',
    fields: entry => html`${(entry.policy.questions ?? []).map((one, at) => questionField(entry, one, at))}`,
  },
  email: {
    label: 'withEmail',
    fields: entry => textField(entry, 'email', entry.speech.say('email'), typings.email, entry.typed?.('email')),
  },
  sms: {
    label: 'withSms',
    fields: entry => textField(entry, 'phone', entry.speech.say('phone'), typings.phone, entry.typed?.('phone')),
  },
  radius: { label: 'withLogin', fields: entry => loginOf(entry, 'radius') },
  directory: { label: 'withDirectory', fields: entry => loginOf(entry, 'directory') },
  external: { label: 'withExternal' },
  free: { label: 'free' },
}
const order: readonly GuestMethod[] = [
  'voucher',
  'simplePassword',
  'radius',
  'directory',
  'email',
  'sms',
  'form',
  'external',
  'free',
]

function termsOf(entry: Entry): Html | undefined {
  const { speech, terms, typed } = entry
  if (!terms) return undefined
  const { say } = speech
  return html`<details><summary>${say('terms')}</summary><div dir="auto" tabindex="0">${terms}</div></details>${checkField(entry, 'terms', say('accept'), typed?.('terms') === '1')}`
}

/** Of a way in that has a step more, its button does not promise to lead out. */
const aloneLabel = (method: GuestMethod) =>
  method === 'email' || method === 'sms' || method === 'external' ? ways[method].label : 'goOnline'

/** The one way in: its button says no more than that it leads out, and what is accepted stands right before it. */
const alone = (entry: Entry, method: GuestMethod): Html =>
  html`${ways[method].fields?.(entry)}${termsOf(entry)}${button(method, entry.speech.say(aloneLabel(method)), false)}`

function several(entry: Entry, methods: readonly GuestMethod[]): Html {
  const { say } = entry.speech
  const each = methods.map((method, at) => {
    const { fields, label } = ways[method]
    return html`${at > 0 && html`<p class="or">${say('or')}</p>`}${fields?.(entry)}${button(method, say(label), at > 0)}`
  })
  return html`${termsOf(entry)}${each}`
}

const banner = (entry: Entry): Html | undefined => {
  const wrong = wrongAt('', entry)
  return wrong && html`<p class="error note" role="alert">${wrong.text}</p>`
}

/** In the house's own words, told as what language they are; else in the product's. */
function welcome({ speech, splash }: Entry, asked: string): Html {
  const { title, text, language, direction } = splash?.said ?? {}
  const own = language && html` lang="${language}" dir="${direction}"`
  const heading = title ? html`<h1${own}>${title}</h1>` : html`<h1>${speech.say('welcome')}</h1>`
  return html`${heading}${text && html`<div class="prose"${own}>${text}</div>`}<p>${asked}</p>`
}

/** Where a guest gets in. */
export function entryPage(entry: Entry): string {
  const { speech, policy, wrong = [], proof, splash, wifi4eu } = entry
  const { say } = speech
  const shown = order.filter(method => policy.methods.includes(method))
  const [only] = shown.length === 1 ? shown : []
  const asked = say(only ? `ask.${only}` : 'ask.several')
  const way = entry.leads === undefined ? html`method="post"` : html`method="get" action="${entry.leads}"`
  const form = html`<form ${way} novalidate>${hidden(proof)}${only ? alone(entry, only) : several(entry, shown)}</form>`
  return whole(
    entry,
    say(wrong.length > 0 ? 'titleWrong' : 'title'),
    html`${!splash?.ads?.seconds && adOf(entry)}${wifi4eu?.banner}${welcome(entry, asked)}${banner(entry)}${form}`,
    wifi4eu?.head,
  )
}

export type CodeStep = Omit<Entry, 'policy'> & {
  way: CodeWay
  /** Where the code was sent to. */
  to: string
  minutes: number
  /** The same page from its beginning. */
  other: string
  /** Until when the guest is in to read the letter, by the clock of the house. */
  until?: string
}

/** After a code was sent: one field for it. */
export function codePage(step: CodeStep): string {
  const { speech, proof, way, to, minutes, other, until, wrong = [] } = step
  const { say } = speech
  const whom = { ...proof, step: 'code', to, terms: '1' }
  const entry = { ...step, policy: { methods: [], questions: [] } }
  const field = textField(entry, codeField, say(`sent.${way}.code`), typings.sentCode)
  const reading = until && html`<p class="small">${say('sent.until', { moment: until })}</p>`
  const form = html`<form method="post" novalidate>${hidden(whom)}${field}${button(way, say('goOnline'), false)}</form>`
  const body = html`<h1>${say('sent.title')}</h1><p>${say(`sent.${way}.help`, { minutes })} <bdi>${to}</bdi></p>${form}${reading || undefined}<a class="button second" href="${other}">${say(`sent.${way}.other`)}</a>`
  return whole(step, say(wrong.length > 0 ? 'titleWrong' : 'sent.title'), body)
}
