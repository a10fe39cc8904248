import { DeviceError } from './driver'

/**
 * One word of a POSIX shell command line, whatever it holds: the only way a value gets into a command.
 * NUL cannot be passed to any program, so it is refused.
 */
export function quote(word: string): string {
  if (word.includes('\0')) throw new DeviceError('internal', 'a value with a NUL character cannot be sent to a shell')
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** A command line of quoted words: `command('cat', path)`. */
export const command = (...words: string[]): string => words.map(quote).join(' ')
