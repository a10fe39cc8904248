import { lookup } from 'node:dns/promises'
import { limiter } from '@/server/kernel/limiter'

/** Asked again after so long, ms; a name that nobody knows now keeps the addresses it had. */
const freshMs = 5 * 60_000
const lookEveryMs = 30_000
/** More names are not asked for. */
const most = 4096
/** Questions at a time: each holds a thread of the process while a resolver is silent. */
const atOnce = 1

type Resolve = (name: string) => Promise<readonly string[]>
const addressesOf: Resolve = async name => (await lookup(name, { all: true })).map(({ address }) => address)

/** The addresses of devices that are known by name. `onNews`: some have others now. */
export function nameBook(onNews: () => void, resolve: Resolve = addressesOf) {
  const book = new Map<string, { at: number; addresses: readonly string[] }>()
  const lane = limiter(atOnce)
  let stopped = false
  const ask = async (name: string) => {
    const former = book.get(name)?.addresses ?? []
    const found = stopped ? former : await resolve(name).catch(() => former)
    if (stopped || !book.has(name)) return
    book.set(name, { at: Date.now(), addresses: found })
    if (found.toSorted().join() !== former.toSorted().join()) onNews()
  }
  const renew = (name: string) => {
    book.set(name, { at: Date.now(), addresses: book.get(name)?.addresses ?? [] })
    void lane.run(() => ask(name))
  }
  const timer = setInterval(() => {
    const old = Date.now() - freshMs
    for (const [name, { at }] of book) if (at < old) renew(name)
  }, lookEveryMs).unref()
  return {
    /** What is known of the name now; it is asked for where nobody did. */
    addresses(name: string): readonly string[] {
      const held = book.get(name)
      if (!held && book.size < most) renew(name)
      return held?.addresses ?? []
    },
    /** All other names are forgotten. */
    keepOnly(names: ReadonlySet<string>): void {
      for (const name of book.keys()) if (!names.has(name)) book.delete(name)
    },
    stop(): void {
      stopped = true
      clearInterval(timer)
    },
  }
}
export type NameBook = ReturnType<typeof nameBook>
