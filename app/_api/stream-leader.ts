// Which tab of a browser holds the connection: the one whose mark stands in localStorage and is fresh.

export const leaderKey = 'lanward.stream'
export const beatMs = 2000
const goneMs = 6000

/** A tab's mark at that time (unix ms). */
export const leaderMark = (id: string, now: number): string => `${id} ${now}`

/** Whether the mark is this tab's. */
export const isMarkOf = (mark: string | null, id: string): boolean => mark?.split(' ')[0] === id

/**
 * What a tab does at its beat, by the mark that stands: `lead` where it is its own, `claim` where there is none or its
 * tab has not renewed it for three beats, else `follow`.
 */
export function roleAt(mark: string | null, id: string, now: number): 'lead' | 'claim' | 'follow' {
  if (isMarkOf(mark, id)) return 'lead'
  const markedAt = Number(mark?.split(' ')[1] ?? 0)
  return now - markedAt > goneMs ? 'claim' : 'follow'
}
