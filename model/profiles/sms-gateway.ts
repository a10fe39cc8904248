import * as z from 'zod'
import { f } from '../fields'
import { guestFields } from '../guests/guest-fields'
import { isJsonTemplate, saysMessage, smsFormats } from '../guests/sms-template'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'

const { smsBodyCharacters } = limits

const fields = z.strictObject({
  name: f.name(),
  provider: f.choice(['http', 'twilio'], { menu: true }).default('http'),
  /** Of whom messages are paid for; a number without one is of the first. */
  countryCodes: f.lines(guestFields.callingCode(), { max: limits.callingCodes }).default([]),
  method: f.choice(['POST', 'GET', 'PUT'], { menu: true }).default('POST'),
  url: guestFields.smsUrl().optional(),
  headers: f.lines(guestFields.smsHeader(), { max: limits.smsHeaders }).default([]),
  format: f.choice(smsFormats, { menu: true }).default('json'),
  body: f.prose(smsBodyCharacters).optional(),
  /** What an answer has in it that means that the message was taken; absent: its status says so. */
  success: f.text(limits.textCharacters).optional(),
  /** Stands where `{secret}` does. */
  secret: f
    .secret(1, limits.smsSecretCharacters, { sentTo: ['provider', 'method', 'url', 'headers', 'format', 'body'] })
    .optional(),
  /** Of the account, as Twilio names it. */
  account: guestFields.twilioAccount().optional(),
  token: f.secret(1, limits.smsSecretCharacters, { sentTo: ['provider', 'server', 'account'] }).optional(),
  sender: guestFields.smsSender().optional(),
  server: f.origin().default('https://api.twilio.com'),
})
export type SmsGatewayFields = z.output<typeof fields>

type Provider = Partial<Pick<SmsGatewayFields, 'provider'>>
const withHttp = ({ provider = 'http' }: Provider) => provider === 'http'
const withTwilio = (value: Provider) => !withHttp(value)
const withBody = (value: SmsGatewayFields) => withHttp(value) && value.method !== 'GET'

/** By what text messages are sent; portals refer to one. */
export const smsGateway = kind({
  id: 'smsGateway',
  area: 'profiles',
  scope: 'network',
  max: limits.smsGateways,
  title: 'name',
  columns: ['name', 'provider', 'countryCodes'],
  fields,
  sections: [
    section('gateway', ['name', 'provider', 'countryCodes']),
    section('request', [
      field('method', { when: withHttp }),
      field('url', { when: withHttp }),
      field('headers', { when: withHttp }),
      field('format', { when: withBody }),
      field('body', { when: withBody }),
      field('secret', { when: withHttp }),
      field('success', { when: withHttp }),
    ]),
    section('twilio', [
      field('account', { when: withTwilio }),
      field('token', { when: withTwilio, beside: true }),
      field('sender', { when: withTwilio }),
      field('server', { when: withTwilio }),
    ]),
  ],
  rules: [
    rule('required', 'countryCodes', (value: SmsGatewayFields) => value.countryCodes.length > 0),
    rule('required', 'url', (value: SmsGatewayFields) => !withHttp(value) || value.url !== undefined),
    rule(
      'jsonTemplate',
      'body',
      (value: SmsGatewayFields) =>
        !withBody(value) || value.format !== 'json' || value.body === undefined || isJsonTemplate(value.body),
    ),
    rule(
      'smsHoles',
      'url',
      (value: SmsGatewayFields) =>
        !withHttp(value) || value.url === undefined || saysMessage([value.url, value.body, ...value.headers]),
    ),
    rule('required', 'account', (value: SmsGatewayFields) => !withTwilio(value) || value.account !== undefined),
    rule('required', 'token', (value: SmsGatewayFields) => !withTwilio(value) || value.token !== undefined),
    rule('required', 'sender', (value: SmsGatewayFields) => !withTwilio(value) || value.sender !== undefined),
  ],
})
