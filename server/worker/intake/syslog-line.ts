/** One line of syslog, RFC 3164 or 5424, as it is kept. */
export type SyslogLine = {
  /** Facility × 8 + severity; absent where the sender told none. */
  pri?: number
  /** Whose line it is, by the sender's own word. */
  host?: string
  /** The program, with its number where it told one: `sshd[812]`; '' where there is none. */
  tag: string
  text: string
  /** Characters at the end that are not kept. */
  cut?: number
}

/** Characters of a line's text that are kept. */
export const keptCharacters = 8192
const hostCharacters = 255

const priority = /^<(\d{1,3})>/
const highestPriority = 191
/** VERSION TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA */
const modern =
  /^1 \S{1,64} (\S{1,255}) (\S{1,48}) (\S{1,128}) \S{1,32} (-|(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])+)(?: |$)/
const stamp =
  /^(?:[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d(?:\.\d{1,9})?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)):? /
const program = '([^\\s:[\\]<>]{1,64}(?:\\[[^\\]\\s]{0,32}\\])?):(?: |$)'
const tagged = new RegExp(`^${program}`)
const hosted = new RegExp(`^(\\S{1,255}) ${program}`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals and files would act on
export const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/** Of a text as much as is kept. */
export function shortened(text: string): Pick<SyslogLine, 'text' | 'cut'> {
  if (text.length <= keptCharacters) return { text }
  return { text: text.slice(0, keptCharacters).toWellFormed(), cut: text.length - keptCharacters }
}

const known = (word = '') => (word === '-' ? '' : word)

function newLine(rest: string): Omit<SyslogLine, 'pri'> | undefined {
  const found = modern.exec(rest)
  if (!found) return undefined
  const [head, host, app, number, data] = found
  const tag = known(app) + (known(number) && `[${known(number)}]`)
  const said = [known(data), rest.slice(head.length).replace(/^\uFEFF/, '')].filter(Boolean).join(' ')
  return { ...(known(host) && { host: known(host) }), tag, ...shortened(said) }
}

function oldLine(rest: string): Omit<SyslogLine, 'pri'> {
  const said = rest.replace(stamp, '')
  const own = tagged.exec(said)
  if (own) return { tag: own[1] ?? '', ...shortened(said.slice(own[0].length)) }
  const of = hosted.exec(said)
  if (!of) return { tag: '', ...shortened(said) }
  return { host: (of[1] ?? '').slice(0, hostCharacters), tag: of[2] ?? '', ...shortened(said.slice(of[0].length)) }
}

/**
 * Reads one line. Nothing is refused: what has no form is all text, bytes that are no UTF-8 are U+FFFD, control characters
 * are spaces. undefined: there is nothing in it.
 */
export function readLine(bytes: Buffer): SyslogLine | undefined {
  const whole = bytes
    .toString('utf8')
    .replace(controls, ' ')
    .replace(/^\uFEFF/, '')
    .trimEnd()
  if (whole.trim() === '') return undefined
  const found = priority.exec(whole)
  const value = found ? Number(found[1]) : Number.NaN
  const known = value <= highestPriority
  const rest = found && known ? whole.slice(found[0].length) : whole
  return { ...(known && { pri: value }), ...(newLine(rest) ?? oldLine(rest)) }
}
