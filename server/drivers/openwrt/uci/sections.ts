import { quote } from '../../shell'
import { marked } from '../../unix/secret'
import { wordsIn } from './lists'
import { prefix } from './package'

export type Section = {
  config: string
  /**
   * `lan`, or `@system[0]` where it has none: its place among those of its type that are not ours. uci counts ours too,
   * and so calls a section that stands behind them otherwise after every push.
   */
  name: string
  type: string
  /** Option → its values as they are spelled; `listOf` reads them. */
  options: Map<string, string[]>
}

/** A value as `uci show` writes it; a list is several, with blanks between. */
const quoted = /'(?:[^']|'\\'')*'/g
/** The words of a value, still in their quotes. */
export const quotedWords = (value: string): string[] => value.match(quoted) ?? []
const bare = (word: string) => word.slice(1, -1).replaceAll("'\\''", "'")

/** Lines of `uci show`; a value may hold line breaks, and its line ends where its quotes do. */
function whole(text: string): string[] {
  const found: string[] = []
  let open: string[] = []
  for (const line of text.split('\n')) {
    // A backslash before the closing quote is one: only a quote inside is written as '\\''.
    const even = (line.replaceAll("'\\''", '').split("'").length - 1) % 2 === 0
    open.push(line)
    if (even === open.length > 1) continue
    if (line || open.length > 1) found.push(open.join('\n'))
    open = []
  }
  return found
}

const header = /^([a-z0-9_-]+)\.([A-Za-z0-9_]+|@[A-Za-z0-9_-]+\[\d+\])=([A-Za-z0-9_-]+)$/
const optionLine = /^([a-z0-9_-]+)\.([A-Za-z0-9_]+|@[A-Za-z0-9_-]+\[\d+\])\.([A-Za-z0-9_]+)=(.*)$/s

/** What `uci show` prints, section by section; what is none of its lines is left out. */
export function sectionsOf(text: string): Section[] {
  const found = new Map<string, Section>()
  const others = new Map<string, number>()
  for (const line of whole(text)) {
    const [, config = '', shown = '', type] = header.exec(line) ?? []
    if (type) {
      const place = others.get(`${config} ${type}`) ?? 0
      if (!shown.startsWith(prefix)) others.set(`${config} ${type}`, place + 1)
      const name = shown.startsWith('@') ? `@${type}[${place}]` : shown
      found.set(`${config}.${shown}`, { config, name, type, options: new Map() })
      continue
    }
    const [, at, of, option, value = ''] = optionLine.exec(line) ?? []
    const words = quotedWords(value).map(bare)
    if (option) found.get(`${at}.${of}`)?.options.set(option, words)
  }
  return [...found.values()]
}

/** Values as `uci show` writes them; `secret`: marked for whoever shows it. */
export const wordsOf = (values: readonly string[], secret = false): string =>
  values.map(value => quote(secret ? marked(value) : value)).join(' ')

/** The values of what `wordsOf` wrote; marks stay. */
export const valuesOf = (words: string): string[] => quotedWords(words).map(bare)

/** What an option says, word by word where it is a list; undefined where it is not set. */
export function listOf({ config, options }: Pick<Section, 'config' | 'options'>, option: string): string[] | undefined {
  const values = options.get(option)
  return values && wordsIn(config, option, values)
}
