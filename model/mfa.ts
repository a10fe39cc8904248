/** Rule A3, a code of the second factor: exactly six digits once trimmed. */
export const isMfaCode = (text: string): boolean => /^\d{6}$/.test(text.trim())

/** A recovery code as it is compared: its letters and digits alone, in capitals. */
export const recoveryForm = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
