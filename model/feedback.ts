// Feedback and what may be attached to it (rule P12). Pure: the browser refuses a file before it is sent, by the same rules.

export const feedbackKinds = ['problem', 'wish', 'question'] as const
export type FeedbackKind = (typeof feedbackKinds)[number]

/** Rule P12: at most 5 MB. */
export const attachmentBytes = 5 * 1024 * 1024
const nameCharacters = 100

const ascii = (text: string) => [...text].map(letter => letter.charCodeAt(0))
const holdsAt = (bytes: Uint8Array, at: number, wanted: readonly number[]): boolean =>
  wanted.every((value, index) => bytes[at + index] === value)
const beginsWith =
  (...signatures: readonly (readonly number[])[]) =>
  (bytes: Uint8Array) =>
    signatures.some(one => holdsAt(bytes, 0, one))

const isZip = beginsWith([0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6])
const zipName = (bytes: Uint8Array, name: string): boolean => {
  const wanted = ascii(name)
  for (let at = bytes.indexOf(wanted[0] ?? 0); at !== -1; at = bytes.indexOf(wanted[0] ?? 0, at + 1))
    if (holdsAt(bytes, at, wanted)) return true
  return false
}

const tarBlock = 512
const tarSum = { at: 148, length: 8 }
/** The header's sum is over its bytes with the sum itself as blanks; older archives have no other mark. */
function isTar(bytes: Uint8Array): boolean {
  if (bytes.length < tarBlock) return false
  const { at, length } = tarSum
  const written = Number.parseInt(String.fromCharCode(...bytes.subarray(at, at + length)).trim(), 8)
  const sum = bytes
    .subarray(0, tarBlock)
    .reduce((all, byte, index) => all + (index >= at && index < at + length ? 32 : byte), 0)
  return written === sum
}

/** UTF-8, or UTF-16 with its mark; without the control characters that no text has. */
function isText(bytes: Uint8Array): boolean {
  const wide = holdsAt(bytes, 0, [0xff, 0xfe]) ? 'utf-16le' : holdsAt(bytes, 0, [0xfe, 0xff]) ? 'utf-16be' : undefined
  try {
    const text = new TextDecoder(wide ?? 'utf-8', { fatal: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    return !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text)
  } catch {
    return false
  }
}

const pdfWithin = 1024
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Rule P12: ending → media type, and what the content begins with. */
const types: Readonly<Record<string, readonly [type: string, holds: (bytes: Uint8Array) => boolean]>> = {
  tar: ['application/x-tar', isTar],
  zip: ['application/zip', isZip],
  rar: ['application/vnd.rar', beginsWith([...ascii('Rar!'), 0x1a, 7])],
  jpg: ['image/jpeg', beginsWith([0xff, 0xd8, 0xff])],
  jpeg: ['image/jpeg', beginsWith([0xff, 0xd8, 0xff])],
  png: ['image/png', beginsWith([0x89, ...ascii('PNG'), 13, 10, 26, 10])],
  mp4: ['video/mp4', bytes => holdsAt(bytes, 4, ascii('ftyp'))],
  avi: ['video/x-msvideo', bytes => holdsAt(bytes, 0, ascii('RIFF')) && holdsAt(bytes, 8, ascii('AVI '))],
  wav: ['audio/wav', bytes => holdsAt(bytes, 0, ascii('RIFF')) && holdsAt(bytes, 8, ascii('WAVE'))],
  txt: ['text/plain', isText],
  doc: ['application/msword', beginsWith([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
  docx: [word, bytes => isZip(bytes) && zipName(bytes, 'word/')],
  pdf: ['application/pdf', bytes => zipName(bytes.subarray(0, pdfWithin), '%PDF-')],
}
export const attachmentEndings = Object.keys(types)

const endingOf = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
/** Media type of a file by its ending; undefined for what is not in the list. */
export const attachmentType = (name: string): string | undefined => types[endingOf(name)]?.[0]

export type AttachmentProblem = 'attachmentType' | 'attachmentEmpty' | 'attachmentTooLarge' | 'attachmentContent'

/** What stands against a file by its name and size alone; its first bytes are not known yet. */
export function attachmentRefused(name: string, size: number): AttachmentProblem | undefined {
  if (attachmentType(name) === undefined) return 'attachmentType'
  if (size === 0) return 'attachmentEmpty'
  return size > attachmentBytes ? 'attachmentTooLarge' : undefined
}

/** The same with its content, which has to be what the ending says. */
export function attachmentProblem(name: string, bytes: Uint8Array): AttachmentProblem | undefined {
  const refused = attachmentRefused(name, bytes.length)
  if (refused) return refused
  return types[endingOf(name)]?.[1](bytes) ? undefined : 'attachmentContent'
}

/**
 * A file's name as it is stored and sent: no folders, nothing that turns its reading around or hides its ending, no
 * characters that a file system or a mail header means something by.
 */
export function attachmentName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*;%&$`'=]/g, '_')
    .trim()
    .replace(/^\.+/, '')
  const ending = endingOf(plain)
  const stem = ending ? plain.slice(0, -ending.length - 1) : plain
  const kept =
    [...stem]
      .slice(0, nameCharacters)
      .join('')
      .replace(/[. ]+$/, '') || 'file'
  return ending ? `${kept}.${ending}` : kept
}
