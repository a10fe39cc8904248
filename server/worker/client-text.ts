// How a text that is searched for names a client by a number of it. Pure.

/** Digits of a MAC without colons, or written otherwise: `5ccb99`, `5c-cb-99`, `5ccb.994e`. */
export function digitsOf(text: string): string | undefined {
  const digits = text.trim().toLowerCase().replace(/[-:.]/g, '')
  return /^[0-9a-f]{4,12}$/.test(digits) ? digits : undefined
}

/** `20` or `VLAN 20`. */
export function vlanOf(text: string): number | undefined {
  const found = /^(?:vlan ?)?(\d{1,4})$/i.exec(text.trim())?.[1]
  return found === undefined ? undefined : Number(found)
}
