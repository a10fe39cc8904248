import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Answer, type Options, startSshServer } from './ssh-server'

const folder = `${process.cwd()}/tests/recordings/openwrt-24.10`

/** Words of a shell command line: plain, '…' and "…". */
export function words(line: string): string[] {
  const found: string[] = []
  for (const match of line.trim().matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)) {
    found.push(
      match[0].replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_all, single, double, escaped) =>
        single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : escaped,
      ),
    )
  }
  return found
}

/** What a command means: JSON arguments compare by content, blanks do not matter. */
function meaning(line: string): string {
  return JSON.stringify(
    words(line).map(word => {
      try {
        return JSON.stringify(JSON.parse(word))
      } catch {
        return word
      }
    }),
  )
}

const read = (name: string, part: string) => {
  const path = `${folder}/${name}.${part}`
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function recordings(): Map<string, Answer> {
  const names = readdirSync(folder).filter(name => name.endsWith('.cmd') && !name.startsWith('safe-apply'))
  return new Map(
    names.map(file => {
      const name = file.slice(0, -4)
      const answer = { stdout: read(name, 'out'), stderr: read(name, 'err'), code: Number(read(name, 'rc')) }
      return [meaning(read(name, 'cmd')), answer]
    }),
  )
}

/** Every file of /etc/config in the words of `uci show`. */
const shown = () =>
  readdirSync(folder)
    .filter(name => /^uci-show-.*\.out$/.test(name))
    .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('')

/** What ash and the tools say to anything that was not recorded. */
function otherwise(line: string): Answer {
  const [tool = '', ...rest] = words(line)
  if (line.startsWith('uci -q show')) return { stdout: shown() }
  if (tool === 'ubus') return { stderr: 'Command failed: Not found\n', code: 4 }
  if (tool === 'cat') return { stderr: `cat: can't open '${rest[0]}': No such file or directory\n`, code: 1 }
  return { stderr: `sh: ${tool}: not found\n`, code: 127 }
}

/**
 * An OpenWrt 24.10 over a real SSH server, answering from the recordings by what a command means.
 * `hide`: commands this device does not know, as an image without LuCI does not. `configured`: what else uci shows.
 * `answers`: what it says to these commands instead. `greets`: what the account's shell prints before each command.
 */
export async function startOpenwrt(
  options: Options & {
    hide?: RegExp
    configured?: (uci: string) => string
    answers?: Record<string, string>
    greets?: string
  } = {},
) {
  const known = recordings()
  const { hide, configured = (text: string) => text, answers = {}, greets = '' } = options
  for (const [line, stdout] of Object.entries(answers)) known.set(meaning(line), { stdout })
  const listed = known.get(meaning('ubus list'))
  if (hide && listed?.stdout) {
    const objects = listed.stdout.split('\n').filter(object => !hide.test(`ubus call ${object} `))
    known.set(meaning('ubus list'), { ...listed, stdout: objects.join('\n') })
  }
  const answer = (line: string): Answer => {
    if (line.startsWith('uci -q show')) return { stdout: configured(shown()) }
    return (hide?.test(words(line).join(' ')) ? undefined : known.get(meaning(line))) ?? otherwise(line)
  }
  return startSshServer({
    auth: ({ method }) => method === 'none',
    ...options,
    exec: whole => {
      const [echoes = '', mark] = /^echo; echo (\S+); /.exec(whole) ?? []
      const { stdout = '', ...rest } = answer(whole.slice(echoes.length))
      return { ...rest, stdout: `${greets}${mark ? `\n${mark}\n` : ''}${stdout}` }
    },
  })
}
