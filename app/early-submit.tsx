import { aliveEvent } from './_ui/alive-event'

/**
 * Runs in the browser before any other script: a form that is sent before its part of the page has come to life waits
 * for that. The browser would send it by itself, as an address with nothing in it. It has to stand alone: its text is
 * the script.
 */
function holdForms(alive: string): void {
  let held: SubmitEvent | undefined
  // After the page's own listeners: what none of them took.
  window.addEventListener('submit', sent => {
    if (sent.defaultPrevented) return
    sent.preventDefault()
    held = sent
  })
  document.addEventListener(alive, ({ target }) => {
    const sent = held?.target === target ? held : undefined
    if (!sent) return
    held = undefined
    // First what was typed is taken over.
    setTimeout(() => (target as HTMLFormElement).requestSubmit(sent.submitter ?? undefined), 0)
  })
}

/** For the head. `nonce`: of this reply's policy. */
export const HoldForms = ({ nonce }: { nonce: string }) => (
  <script
    nonce={nonce}
    suppressHydrationWarning
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a function of this file, nothing from outside
    dangerouslySetInnerHTML={{ __html: `(${holdForms})(${JSON.stringify(aliveEvent)})` }}
  />
)
