import { DeviceError } from '../driver'
import { command } from '../shell'
import type { SshSession } from '../ssh/ssh'
import type { Vantage } from '../vantage'

// The words come as the script's own arguments: no shell reads them. Its input is the connection itself: where that ends,
// by whatever, so does the program. Background commands have no input of their own, hence the third descriptor.
const script = `exec 3<&0
LC_ALL=C; export LC_ALL
"$@" </dev/null 2>&1 &
program=$!
( read -r _ <&3; kill "$program" 2>/dev/null ) &
watch=$!
exec 3<&-
wait "$program"; code=$?
kill "$watch" 2>/dev/null
exit "$code"`

const kept = 256 * 1024

/** Calls `line` with each whole line of what comes in pieces; `end` gives what is left. */
export function lineSplitter(line: (text: string) => void) {
  let rest = ''
  return {
    take(piece: string): void {
      const parts = (rest + piece).split('\n')
      rest = (parts.pop() ?? '').slice(-kept)
      for (const part of parts) line(part)
    },
    end(): void {
      if (rest) line(rest)
      rest = ''
    },
  }
}

/** Looks from a device over its SSH session; `become` stands before each command. */
export const sshVantage = (ssh: SshSession, become = ''): Vantage => ({
  async run(words, { signal, seconds, bytes = kept, line = () => undefined }) {
    const lines = lineSplitter(line)
    const { code, stdout } = await ssh.exec(`${become}${command('sh', '-c', script, 'sh', ...words)}`, {
      ...{ signal, timeoutMs: seconds * 1000, maxBytes: bytes, held: true },
      heard: lines.take,
    })
    lines.end()
    return { code, text: stdout }
  },
  async connect(host, port, signal) {
    const begun = performance.now()
    const state = await ssh.reaches(host, port, signal)
    const ms = Math.round((performance.now() - begun) * 10) / 10
    if (state === 'forbidden') throw new DeviceError('unsupported', 'its SSH server does not forward TCP connections')
    return { tool: 'port', state, ...((state === 'open' || state === 'refused') && { ms }) }
  },
})
