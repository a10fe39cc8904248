import { callApi } from './client'

/** Ends the session here, and then, where an identity provider signed it in, the provider's own. */
export async function endSessions(): Promise<void> {
  const sso = await callApi('sso/logout/check', {}, { quiet: true }).catch(() => undefined)
  await callApi('logout', {}, { quiet: true }).catch(() => undefined)
  window.location.assign(sso?.url || '/login')
}
