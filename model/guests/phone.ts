// Numbers of phones: as people type them, and as they are dialled from anywhere (E.164).

/** `+49`: of a country, or of several. */
export const isCallingCode = (text: string): boolean => /^\+[1-9]\d{0,3}$/.test(text)

/** `+491701234567`. */
export const isPhoneNumber = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text)

/** Italy's numbers keep their 0. */
const keepsZero = ['+39']

export type PhoneProblem = 'missing' | 'phone' | 'country'

/** A number as it was typed → as it is dialled; one without a country is of the first of these, others are not taken. */
export function dialled(typed: string, codes: readonly string[]): { number: string } | { problem: PhoneProblem } {
  const text = typed.trim()
  if (!text) return { problem: 'missing' }
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return { problem: 'phone' }
  // “+49 (0)170”: the 0 is for those who dial within the country.
  const digits = text.replace(/(?<=^(?:\+|00)[\d\s]+)\(0\)/, '').replace(/[^\d+]/g, '')
  const [home = ''] = codes
  const own = home && keepsZero.includes(home) ? digits : digits.replace(/^0/, '')
  const number = digits.startsWith('+') ? digits : digits.startsWith('00') ? `+${digits.slice(2)}` : `${home}${own}`
  if (!isPhoneNumber(number)) return { problem: 'phone' }
  return codes.some(code => number.startsWith(code)) ? { number } : { problem: 'country' }
}
