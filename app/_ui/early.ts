'use client'
import { useLayoutEffect, useRef } from 'react'
import { aliveEvent } from './alive-event'

/** Line ends are not compared: a control has them in its own way, or not at all. */
const inOneLine = (text: string) => text.replace(/[\r\n]/g, '')

/**
 * The ref of a text control that the server draws: what was typed into it, or filled in by the browser, before its page
 * came to life is told once. Without it the field would show a text that no form knows.
 */
export function useEarlyText<E extends HTMLInputElement | HTMLTextAreaElement>(take: (text: string) => void) {
  const control = useRef<E>(null)
  const first = useRef(take)
  useLayoutEffect(() => {
    // What the server drew is the default; one drawn here stands in both.
    const { value, defaultValue, form } = control.current ?? { value: '', defaultValue: '', form: null }
    if (inOneLine(value) !== inOneLine(defaultValue)) first.current(value)
    form?.dispatchEvent(new Event(aliveEvent, { bubbles: true }))
  }, [])
  return control
}
