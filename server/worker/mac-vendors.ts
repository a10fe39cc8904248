import { readFile } from 'node:fs/promises'

/** Of a MAC as `02:00:…`: whose number it is by IEEE's registries; `private` where a device made it up itself (IEEE 802c). */
export type MacOwner = { vendor: string } | { private: true }
export type MacOwners = (mac: string) => MacOwner | undefined

const legal =
  /(?:[,.]\s*|\s+)\(?(incorporated|inc|corporation|corp|company|co|limited|ltd|llc|gmbh|ag|s\.?a\.?|b\.?v\.?|oy|ab|a\/s|pte|pty|plc|s\.?r\.?l|s\.?p\.?a|k\.?k)\b\.?\)?/gi
const longest = 40

/** "Ubiquiti Inc" is Ubiquiti: what a company is by law says nothing of a device. */
function shortName(text: string): string | undefined {
  const line = (text.split('\n')[0] ?? '').replace(/[^\P{C}]/gu, '')
  const short = line
    .replace(legal, '')
    .replace(/[\s,.]+$/, '')
    .trim()
  return (short || line).slice(0, longest) || undefined
}

const noVendors: Readonly<Record<string, string>> = {}

/**
 * Who owns a MAC, by the file of package oui-data (6, 7 or 9 digits: the longest wins). Its 5 MB are read here and go with
 * the answer: to be asked for once a search. Without the file nobody is known.
 */
export async function macOwners(file: string): Promise<MacOwners> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const registry: Readonly<Record<string, string>> = text ? JSON.parse(text) : noVendors
  return mac => {
    const digits = mac.replaceAll(':', '').toUpperCase()
    if (!/^[\dA-F]{12}$/.test(digits)) return undefined
    const first = Number.parseInt(digits.slice(0, 2), 16)
    if (first & 1) return undefined
    if (first & 2) return { private: true }
    const found = [9, 7, 6].map(length => registry[digits.slice(0, length)]).find(each => each !== undefined)
    const vendor = found && !/^(private|ieee registration)/i.test(found) ? shortName(found) : undefined
    return vendor ? { vendor } : undefined
  }
}
