import { hash, verify } from '@node-rs/argon2'
import { bucketOf } from '@/model/addresses'

// argon2id of 19 MiB is felt on a small box: two at a time, the rest wait (and a flood of guesses with them).
const atOnce = 2
let running = 0
/** By who asks: each in turn, so that a flood from one address keeps nobody else waiting. */
const waiting = new Map<string, (() => void)[]>()

function enqueue(from: string, go: () => void): void {
  const own = waiting.get(from)
  if (own) own.push(go)
  else waiting.set(from, [go])
}

function nextWaiting(): (() => void) | undefined {
  const [first] = waiting
  if (!first) return undefined
  const [from, own] = first
  const next = own.shift()
  // Behind everybody else who waits.
  waiting.delete(from)
  if (own.length) waiting.set(from, own)
  return next
}

async function turn<T>(from: string, work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>(go => enqueue(from, go))
  else running++
  try {
    return await work()
  } finally {
    const next = nextWaiting()
    if (next) next()
    else running--
  }
}

/** Other work of the same weight, for passphrases of files: beside sign-ins it takes its turn like them. */
export const inTurn = <T>(work: () => Promise<T>): Promise<T> => turn('', work)

/** The hash that stands in for an account that does not exist: guessing costs the same either way. */
let nobody: Promise<string> | undefined

/** `digest`: hex SHA-256 of the NFKC password, as the browser sends it. */
export const hashPassword = (digest: string): Promise<string> => turn('', () => hash(digest))

/**
 * Whether `digest` is the password that `stored` is the hash of. `admit` is asked when its turn has come, and may throw:
 * what waited in the queue beside a thousand other guesses must not be tried after these have closed the door.
 * `from`: whose turn it is, an address.
 */
export async function verifyPassword(
  stored: string | undefined,
  digest: string,
  admit: () => void = () => undefined,
  from = '',
): Promise<boolean> {
  nobody ??= hashPassword('nobody')
  // An account without a password, as one of a directory, costs a guess as much.
  const hashed = stored?.startsWith('$argon2') ? stored : undefined
  const against = hashed ?? (await nobody)
  const right = await turn(bucketOf(from), () => {
    admit()
    return verify(against, digest).catch(() => false)
  })
  return right && hashed !== undefined
}
