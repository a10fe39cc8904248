/** Which run of the manager answers: each start is another; undefined while none does. */
export async function currentRun(): Promise<string | undefined> {
  try {
    const reply = await fetch('/app/health', { cache: 'no-store' })
    return reply.ok ? (reply.headers.get('x-lanward-run') ?? '') : undefined
  } catch {
    return undefined
  }
}

/**
 * Leaves for the page that is shown while the manager restarts; `run` was asked before, `to` is opened when another run
 * answers.
 */
export function awaitRestart(run: string | undefined, to: string): void {
  window.location.assign(`/router/processing?${new URLSearchParams({ to, run: run ?? '' })}`)
}
