import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { command, quote } from '@/server/drivers/shell'
import { fc } from '../_property'

const said = (shell: string[], script: string): string =>
  spawnSync(shell[0] ?? '', shell.slice(1), { input: script, encoding: 'utf8' }).stdout

const words = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }).map(text => text.replaceAll('\0', '')),
    fc.constantFrom(
      "'",
      "''",
      '\\',
      "\\'",
      '$(id)',
      '`id`',
      '"',
      '\n',
      '-n',
      '*',
      '~',
      '!',
      '%s',
      ';reboot',
      "'\\''",
      '\r\n',
    ),
  ),
  { minLength: 1, maxLength: 30 },
)

/** Every word comes out as it went in, each between marks of its own. */
function survives(shell: string[]) {
  fc.assert(
    fc.property(words, list => {
      const script = list.map(word => `printf '<%s>' ${quote(word)}\n`).join('')
      expect(said(shell, script)).toBe(list.map(word => `<${Buffer.from(word).toString()}>`).join(''))
    }),
    { numRuns: 60 },
  )
}

test('sh takes every word for what it is', () => survives(['sh', '-s']))

test('busybox ash takes every word for what it is', () => {
  const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(path => existsSync(path))
  if (!busybox) throw new Error('busybox is missing: apt-get install busybox')
  survives([busybox, 'ash', '-s'])
})

test('no program can be given a NUL', () => expect(() => quote('a\0b')).toThrow(/NUL/))

test('a command line is its words', () => expect(command('cat', "it's")).toBe(`'cat' 'it'\\''s'`))
