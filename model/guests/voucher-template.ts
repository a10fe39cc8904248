import * as z from 'zod'
import { limits } from '@/model/limits'
import { generalName } from '@/model/names'
import { oneLine } from '@/model/rules'
import { perPage, printFormats, qrChoices } from './voucher-print'

/** What of a voucher's terms can stand on it. */
export const templateFacts = ['lasting', 'devices', 'data', 'until'] as const

const text = z.string().trim().max(limits.templateCharacters, 'tooLong').regex(oneLine, 'controlCharacters').default('')

/** A PNG or JPEG as the page made it of rule G18's formats: small enough for paper. */
const logoStart = /^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/
const magic = { png: '\x89PNG\r\n\x1a\n', jpeg: '\xff\xd8\xff' } as const

const mostSide = 2000
const pngSide = (head: string, at: number) =>
  [0, 1, 2, 3].reduce((sum, step) => sum * 256 + head.charCodeAt(at + step), 0) || Number.POSITIVE_INFINITY

/** True for a whole data address of a picture whose first bytes are what it says. */
export function isLogo(address: string): boolean {
  const kind = logoStart.exec(address)?.[1] as keyof typeof magic | undefined
  if (!kind) return false
  const from = address.indexOf(',') + 1
  const head = atob(address.slice(from, from + 32))
  // A PNG is unpacked to be printed: a small file can be a picture of any size.
  return (
    head.startsWith(magic[kind]) &&
    (kind === 'jpeg' || (pngSide(head, 16) <= mostSide && pngSide(head, 20) <= mostSide))
  )
}

/** How vouchers are printed: what stands on them, and on which paper. */
export const templateFields = {
  name: generalName(limits.voucherGroupNameCharacters),
  format: z.enum(printFormats),
  /** Of A4. */
  perPage: z.union(perPage.map(one => z.literal(one))).default(18),
  /** In place of the group's name; '': that. */
  heading: text,
  /** One line more, as where to ask. */
  text,
  /** Rule G18: a picture above all; '': none. */
  logo: z
    .string()
    .max(limits.templateLogoCharacters, 'pictureSize')
    .refine(address => address === '' || isLogo(address), 'notPicture')
    .default(''),
  facts: z
    .array(z.enum(templateFacts))
    .max(templateFacts.length, 'tooMany')
    .default([...templateFacts]),
  /** The Wi-Fi network that guests join, named on each. */
  ssid: z.uuid('notFound').optional(),
  qr: z.enum(qrChoices).default('voucher'),
}
export const template = z.strictObject(templateFields)
export type Template = z.output<typeof template>
