import { clean } from '../../unix/text'

export type Setting = { section: string; key: string; value: string }

const most = { lines: 2_000, characters: 500 } as const

/** Lines of a text, long ones and endless ones cut; joined where one ends in a backslash. */
function joined(text: string): string[] {
  const found: string[] = []
  let open = false
  for (const raw of text.split('\n', most.lines)) {
    const more = raw.endsWith('\\')
    const line = more ? raw.slice(0, -1) : raw
    if (open) found.push(`${found.pop()} ${line.trim()}`)
    else found.push(line)
    open = more
  }
  return found
}

/** systemd.syntax(7): sections of `Key=value`; comments, and what is in no section, are left out. */
export function iniSettings(text: string): Setting[] {
  const found: Setting[] = []
  let section = ''
  for (const line of joined(text.replace(/^[ \t]*[#;].*\n?/gm, ''))) {
    const head = /^\[([A-Za-z0-9 ]{1,64})\]\s*$/.exec(line.trim())
    if (head) section = head[1] ?? ''
    const [, key, value] = /^\s*([A-Za-z0-9.]{1,64})\s*=(.*)$/.exec(line) ?? []
    if (section && key) found.push({ section, key, value: clean(value, most.characters) ?? '' })
  }
  return found
}

/** The values of a list as systemd makes it: each line adds to it, an empty one begins anew. */
export function listed(all: readonly Setting[], section: string, key: string): string[] {
  const own = all.filter(one => one.section === section && one.key === key)
  const begun = own.findLastIndex(one => one.value === '') + 1
  return own.slice(begun).flatMap(one => one.value.split(/\s+/))
}

/** The value that counts of a setting that is given once: the last. */
export const last = (all: readonly Setting[], section: string, key: string): string | undefined =>
  all.findLast(one => one.section === section && one.key === key)?.value
