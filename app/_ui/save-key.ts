import { type RefObject, useEffect } from 'react'

/** Calls `save` on Ctrl S; on a Mac on Command S. `save` says by `event.preventDefault()` that it was meant. */
export function useSaveKey(save: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') save(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [save])
}

/** Of several forms on a page the one is meant in which somebody types; outside of all each that was changed. */
export function isMeant(form: RefObject<HTMLFormElement | null>, { target }: KeyboardEvent): boolean {
  const around = (target as Element).closest('form, [role="dialog"]')
  return !around || around === form.current || around.contains(form.current)
}
