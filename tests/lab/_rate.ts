// Rates measured by iperf3 between two ends, after 2 s in which TCP finds its speed.
import { type Ran, until } from './_lab'

export type Way = 'download' | 'upload'
/** Runs a program at the client's end, or at the server's. */
type End = (command: string[]) => Promise<Ran>

/** Mbit/s as the receiving end counted them. */
export async function measure(
  ends: { client: End; server: End },
  address: string,
  port: number,
  way: Way,
  seconds = 10,
) {
  const words = ['timeout', '45', 'iperf3', '-J', '-c', address, '-p', `${port}`, '-O', '2', '-t', `${seconds}`]
  const { stdout } = await until(async () => {
    // It serves once. One that lost its client would keep the port for minutes.
    await ends.server(['pkill', '-f', `^iperf3 -s -1 -D -p ${port}$`])
    await ends.server(['iperf3', '-s', '-1', '-D', '-p', `${port}`])
    const ran = await ends.client(way === 'download' ? [...words, '-R'] : words)
    return ran.code === 0 && ran
  })
  return JSON.parse(stdout).end.sum_received.bits_per_second / 1e6
}

/**
 * Held within a tenth. On a machine that has no time to send it is less, and more when what had waited for a busy receiver
 * is counted late: then it is measured again.
 */
export async function holds(rate: number, attempt: (number: number) => Promise<number>): Promise<void> {
  const held = (one = 0) => one >= rate * 0.9 && one <= rate * 1.1
  const seen: number[] = []
  while (seen.length < 10 && !held(seen.at(-1))) seen.push(await attempt(seen.length))
  expect([rate, ...seen, held(seen.at(-1))]).toEqual([rate, ...seen, true])
}
