import { callApi } from './client'
import { leavePage } from './session-end'

/** Ends the session here, and then, where an identity provider signed it in, the provider's own. */
export async function endSessions(): Promise<void> {
  const sso = await callApi('sso/logout/check', {}, { quiet: true }).catch(() => undefined)
  const ended = callApi('logout', {}, { quiet: true }).catch(() => undefined)
  // That sessions ended is news, and this page has none any more to ask with.
  leavePage()
  await ended
  window.location.assign(sso?.url || '/login')
}
