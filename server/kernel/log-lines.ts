import { toSources } from './traces'

type Stream = { write(chunk: string | Uint8Array, ...rest: unknown[]): boolean }

const indent = '    '
/** What moves a terminal's cursor, ends a line for some readers, or turns the reading direction around. */
const unseen = /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const shown = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * What is written at once, as one entry of the log: whatever names and messages of devices and people stand in it, only its
 * first line begins without a blank, and nothing in it acts on a terminal.
 */
export function asEntry(text: string): string {
  const [, before = '', rest = ''] = /^(\n*)([\s\S]*)$/.exec(text) ?? []
  return before + rest.replace(unseen, shown).replace(/\n(?=\S)/g, `\n${indent}`)
}

/** From now on the streams write entries alone, whose traces name the sources. */
export function guardLog(streams: Stream[] = [process.stdout, process.stderr] as Stream[]): void {
  for (const stream of streams) {
    const write = stream.write.bind(stream)
    stream.write = (chunk, ...rest) =>
      write(asEntry(toSources(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())), ...rest)
  }
}
