import { getTranslations } from 'next-intl/server'
import { Glyph } from './_ui/status'

/** With the one more try of the bundler's own loader: four after the first (specification 1-console.md, route guard). */
const ownTries = 3
const firstMs = 300
/** A connection that says nothing is no longer waited for (specification 2-rules.md section 9). */
const limitMs = 120_000

/**
 * Runs in the browser before any other script. A script or style sheet of the build that does not arrive is asked for
 * again; whoever waits for it hears of the failure only when that did not help, and then the page says so. It has to
 * stand alone: its text is the script.
 */
function watchChunks(most: number, pauseMs: number, mostMs: number): void {
  const failures = new Map<string, number>()
  const lost = new Set<string>()
  const wanted = new WeakMap<Element, Element>()
  const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>()
  const addressOf = (element: unknown): string => {
    if (element instanceof HTMLScriptElement) return element.src
    return element instanceof HTMLLinkElement && element.rel === 'stylesheet' ? element.href : ''
  }
  const show = () => {
    const band = document.getElementById('chunk-lost')
    if (band) band.hidden = lost.size === 0
  }
  /** A copied script element would count as run already: a new one. */
  const again = (element: Element) => {
    const copy = document.createElement(element.tagName) as HTMLScriptElement & HTMLLinkElement
    for (const name of ['src', 'href', 'rel', 'crossorigin', 'data-precedence']) {
      const value = element.getAttribute(name)
      if (value !== null) copy.setAttribute(name, value)
    }
    copy.nonce = (element as HTMLElement).nonce ?? ''
    wanted.set(copy, element)
    document.head.appendChild(copy)
  }
  const isPart = (element: unknown) => addressOf(element).includes('/_next/static/')
  const lose = (element: Element) => {
    const address = addressOf(element)
    clearTimeout(timers.get(element))
    const original = wanted.get(element) ?? element
    const count = (failures.get(address) ?? 0) + 1
    failures.set(address, count)
    if (element !== original) element.remove()
    if (count <= most) return void setTimeout(again, pauseMs * 2 ** (count - 1), original)
    // Whoever asks for it after this begins anew.
    if (count > most + 1) failures.delete(address)
    lost.add(address)
    show()
    original.dispatchEvent(new Event('error'))
  }
  const failed = (event: Event) => {
    if (!isPart(event.target) || !event.isTrusted) return
    event.stopImmediatePropagation()
    lose(event.target as Element)
  }
  const loaded = (event: Event) => {
    const address = addressOf(event.target)
    clearTimeout(timers.get(event.target as Element))
    if (!failures.delete(address) && !lost.has(address)) return
    lost.delete(address)
    show()
    wanted.get(event.target as Element)?.dispatchEvent(new Event('load'))
  }
  const watch = (node: Node) => {
    if (isPart(node)) timers.set(node as Element, setTimeout(lose, mostMs, node as Element))
  }
  new MutationObserver(changes => {
    for (const { addedNodes } of changes) addedNodes.forEach(watch)
  }).observe(document.head, { childList: true })
  window.addEventListener('error', failed, true)
  // The window hears of no part's load, only of its own.
  document.addEventListener('load', loaded, true)
  document.addEventListener('click', event => {
    if ((event.target as Element).closest('#chunk-lost button')) window.location.reload()
  })
}

/** For the head: every part of the page that does not arrive is asked for again. `nonce`: of this reply's policy. */
export const ChunkRetry = ({ nonce }: { nonce: string }) => (
  <script
    nonce={nonce}
    suppressHydrationWarning
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a function of this file, nothing from outside
    dangerouslySetInnerHTML={{ __html: `(${watchChunks})(${ownTries},${firstMs},${limitMs})` }}
  />
)

/** Says that a part is missing and how to get it; hidden until then, and there without any of the page's own scripts. */
export async function ChunkLost() {
  const t = await getTranslations('common')
  return (
    <div id="chunk-lost" className="chunk-lost" role="alert" hidden suppressHydrationWarning>
      <Glyph shape="octagon" />
      <span className="grow">{t('chunkLost')}</span>
      <button type="button" className="button small">
        {t('reload')}
      </button>
    </div>
  )
}
