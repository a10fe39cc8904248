/** Runs once in the server process before the first request is answered. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startManager } = await import('./server/door/start')
  await startManager()
}
