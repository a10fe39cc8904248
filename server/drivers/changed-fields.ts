/** What differs between two readings of the same settings; undefined is what the second says nothing of any more. */
export const changedFields = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter(key => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map(key => [key, after[key]]),
  )
