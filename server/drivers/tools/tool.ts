import type { Figures } from '@/model/troubleshooting/request'
import type { Vantage } from '../vantage'

const asked = ['ping', 'traceroute', 'ip', 'dig', 'nslookup', 'getent'] as const

/** Which programs are there; iputils' ping says more than busybox's. */
export type Programs = { has: ReadonlySet<string>; iputils: boolean }

/** A diagnosis under way: where it runs, what is there, and who hears of it. */
export type Tool = {
  vantage: Vantage
  programs: Programs
  signal: AbortSignal
  line(text: string): void
  figures(figures: Figures): void
}

// Of the words that follow, those that are programs there.
const script = `for one; do command -v "$one" >/dev/null 2>&1 && echo "has $one"; done
ping -V 2>&1 | grep -q iputils && echo iputils
exit 0`

export async function programsOf({ vantage, signal }: { vantage: Vantage; signal: AbortSignal }): Promise<Programs> {
  const { text } = await vantage.run(['sh', '-c', script, 'sh', ...asked], { signal, seconds: 20 })
  const lines = text.split('\n')
  return {
    has: new Set(lines.flatMap(line => (line.startsWith('has ') ? [line.slice(4).trim()] : []))),
    iputils: lines.includes('iputils'),
  }
}
