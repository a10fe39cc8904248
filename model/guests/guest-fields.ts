import * as z from 'zod'
import { distinct, judged, meta, trimmed, valid } from '../field-types'
import { limits } from '../limits'
import { hasControlCharacters } from '../rules'
import { isColour } from './colours'
import type { MediaSort } from './media'
import { isCallingCode } from './phone'
import { saysCode } from './questions'
import { simplePasswordProblem } from './simple-password'
import { isSmsHeader, isSmsUrl } from './sms-template'

const plainText = { widget: 'text', input: 'plain' } as const

/** Of characters as people count them. */
const isExternalKey = (text: string): boolean =>
  [...text].length >= 20 && [...text].length <= 32 && !/\s/.test(text) && !hasControlCharacters(text)

/** Fields of what guests meet: apart from the others, since no other form needs what judges them. */
export const guestFields = {
  /** Rule A11: what all guests type. Stored sealed. */
  simplePassword: () => meta(judged(simplePasswordProblem), { widget: 'secret', rule: 'A11' }),
  /** Rule G5: what the portal and a page elsewhere sign by. Stored sealed. */
  externalKey: () => meta(valid(isExternalKey, 'externalKey'), { widget: 'secret', rule: 'G5', generated: true }),
  /** As the Commission gives it to a network, lower case. */
  wifi4euNetwork: () =>
    meta(
      trimmed(z.uuid('uuid')).overwrite(one => one.toLowerCase()),
      plainText,
    ),
  /** Rule A20. */
  codeLetter: (max: number = limits.mailTextCharacters) =>
    meta(trimmed(z.string().max(max, 'tooLong').pipe(valid(saysCode, 'codeLetter'))), { widget: 'block', rule: 'A20' }),
  /** Rule G18: id of a file that was sent before. */
  file: (sort: MediaSort) => meta(z.uuid('notFound'), { widget: 'file', rule: 'G18', sort }),
  files: (sort: MediaSort, max: number) =>
    meta(
      z
        .array(z.uuid('notFound'))
        .max(max, 'tooMany')
        .superRefine((list, context) => distinct(context, list, at => [at])),
      { widget: 'files', rule: 'G18', sort },
    ),
  /** `#0b6b80`. */
  colour: () =>
    meta(
      trimmed(valid(isColour, 'colour')).overwrite(one => one.toLowerCase()),
      { widget: 'colour', input: 'plain' },
    ),
  /** `+49`. */
  callingCode: () => meta(trimmed(valid(isCallingCode, 'callingCode')), plainText),
  /** Rule G2, with places for number, message and secret. */
  smsUrl: () => meta(trimmed(valid(isSmsUrl, 'smsUrl')), { widget: 'text', rule: 'G2', input: 'url' }),
  /** `Authorization: Bearer {secret}`. */
  smsHeader: () => meta(trimmed(z.string().max(1000, 'tooLong').pipe(valid(isSmsHeader, 'smsHeader'))), plainText),
  /** Twilio's account SID. */
  twilioAccount: () => meta(trimmed(valid(text => /^AC[0-9a-f]{32}$/.test(text), 'twilioAccount')), plainText),
  /** A number, up to 11 letters and digits, or Twilio's SID of a messaging service. */
  smsSender: () =>
    meta(
      trimmed(
        valid(text => /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(text), 'smsSender'),
      ),
      plainText,
    ),
}
