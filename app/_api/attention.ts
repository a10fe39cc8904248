const attentiveMs = 60_000
let lastTouched = Date.now()

if (typeof window !== 'undefined')
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(kind, () => (lastTouched = Date.now()), { passive: true, capture: true })

/** Whether nobody touched this page for a minute: what it asks by itself must not prolong the session (rule A16). */
export const isUnattended = (now = Date.now()) => now - lastTouched > attentiveMs
