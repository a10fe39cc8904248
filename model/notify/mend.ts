/** Changes so long before an alert may be its cause. */
export const changesBeforeMs = 10 * 60_000
