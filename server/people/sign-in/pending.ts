import { randomBytes } from 'node:crypto'
import { limits } from '@/model/limits'
import { part } from '@/server/kernel/part'

const lifeMs = limits.mfaPendingMinutes * 60_000
const mostOpen = 5000

type PendingSignIns = {
  /** `account` gave its password at `now`; the token stands for that until the second factor follows. */
  begin(account: number, now: number): string
  find(token: string | undefined, now: number): { account: number; at: number } | undefined
  end(token: string | undefined): void
}

/** Sign-ins between the password and the second factor. They live ten minutes, in memory alone. */
function createPendingSignIns(): PendingSignIns {
  const open = new Map<string, { account: number; at: number }>()
  return {
    begin(account, now) {
      for (const [token, entry] of open) if (entry.at + lifeMs < now || open.size >= mostOpen) open.delete(token)
      const token = randomBytes(24).toString('base64url')
      open.set(token, { account, at: now })
      return token
    },
    find(token, now) {
      const entry = token ? open.get(token) : undefined
      return entry && entry.at + lifeMs >= now ? entry : undefined
    },
    end(token) {
      if (token) open.delete(token)
    },
  }
}

export const pendingSignIns = part('pendingSignIns', createPendingSignIns)
