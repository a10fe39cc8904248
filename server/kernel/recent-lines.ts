import { part } from './part'

/** What this process said last, for a bug report; in memory, bounded. */
type RecentLines = { all(): string[] }
export const recentLines = part<RecentLines>('recentLines')

const most = 400
const longest = 500
type Stream = { write(chunk: string | Uint8Array, ...rest: unknown[]): boolean }

/** Listens to what is written to the streams from now on; they go on writing. */
export function keepRecentLines(streams: Stream[] = [process.stdout, process.stderr] as Stream[]): RecentLines {
  const kept: string[] = []
  for (const stream of streams) {
    const write = stream.write.bind(stream)
    let open = ''
    stream.write = (chunk, ...rest) => {
      const lines = (open + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())).split('\n')
      open = (lines.pop() ?? '').slice(-longest)
      kept.push(...lines.filter(Boolean).map(line => `${new Date().toISOString()} ${line.slice(0, longest)}`))
      kept.splice(0, kept.length - most)
      return write(chunk, ...rest)
    }
  }
  return { all: () => [...kept] }
}

const hidden: [RegExp, string][] = [
  [
    /\b((?:pass(?:word|phrase)?|secret|token|key|community|cookie|authorization|code)["']?\s*[:=]\s*)\S+/gi,
    '$1(hidden)',
  ],
  [/\bSHA256:[\w+/=]+/g, '(key)'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '(mail)'],
  [/\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi, '(mac)'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '(ip)'],
  [/(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])/gi, '(ip)'],
]

/** The line without addresses, what looks like a secret, and the given names (of three characters and more). */
export function withoutSecrets(line: string, names: readonly string[]): string {
  const [time = '', ...words] = line.split(' ')
  let text = words.join(' ')
  for (const name of names) if (name.length > 2) text = text.replaceAll(name, '(name)')
  for (const [pattern, instead] of hidden) text = text.replace(pattern, instead)
  return `${time} ${text}`
}
