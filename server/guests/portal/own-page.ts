import { pageFileOf } from '@/server/guests/media/store'
import { index } from '@/server/guests/media/unpack'
import { html } from '@/server/kernel/html'
import type { Runtime } from '@/server/kernel/runtime'
import { hidden, type Proof } from './page'

type Filled = { lan: string; house: string; proof: Proof }

/**
 * The house's own page with its places filled: `{{action}}` is where its form goes, `{{proof}}` what the form has to carry,
 * `{{house}}` the network's name. What it loads lies below the page's own folder. Undefined where it is gone.
 */
export function ownPage(runtime: Runtime, page: string, { lan, house, proof }: Filled): string | undefined {
  const found = pageFileOf(runtime, page, index)
  if (!found) return undefined
  const base = html`<base href="/portal/${lan}/page/">`.html
  const fields = html`${hidden(proof)}`.html
  const values: Readonly<Record<string, string>> = {
    action: html`/portal/${lan}`.html,
    proof: fields,
    house: html`${house}`.html,
  }
  const text = found.data
    .toString('utf8')
    .replace(/\{\{(action|proof|house)\}\}/g, (_, name: string) => values[name] ?? '')
  // Before anything that is loaded; where there is no head a browser makes one.
  return /<head[^>]*>/i.test(text) ? text.replace(/<head[^>]*>/i, head => head + base) : base + text
}
