import { createHash } from 'node:crypto'
import { pagePolicy } from '@/model/guests/page-policy'
import { wifi4euHost } from '@/model/guests/wifi4eu'
import type { PortalFields } from '@/model/profiles/portal'
import { type Html, html } from '@/server/kernel/html'

// The Commission's snippet: two scripts at the head of the page and a banner. It counts the network's guests.

type Fields = Partial<Pick<PortalFields, 'wifi4eu' | 'wifi4euLanguage' | 'wifi4euNetwork'>>
export type Wifi4eu = { head: Html; banner: Html; policy: string }

const origin = `https://${wifi4euHost}`

/** What the page of a portal has of it; undefined where it has nothing. The fields are no free text, so neither is the script. */
export function wifi4euOf({ wifi4eu, wifi4euLanguage = 'en', wifi4euNetwork }: Fields): Wifi4eu | undefined {
  if (!wifi4eu || wifi4euNetwork === undefined) return undefined
  const script = `var wifi4euTimerStart = Date.now();var wifi4euNetworkIdentifier = '${wifi4euNetwork}';var wifi4euLanguage = '${wifi4euLanguage}';`
  const hash = createHash('sha256').update(script).digest('base64')
  const banner = `${origin}/media/banner/Wifi4EU-${wifi4euLanguage.toUpperCase()}.svg`
  return {
    // Deferred: a page whose script does not come is shown all the same.
    head: html`${{ html: `<script>${script}</script>` }}<script src="${origin}/wifi4eu.min.js" defer></script>`,
    banner: html`<img id="wifi4eubanner" class="wifi4eu" src="${banner}" alt="WiFi4EU">`,
    policy: pagePolicy({ scripts: [`'sha256-${hash}'`, origin], origin }),
  }
}
