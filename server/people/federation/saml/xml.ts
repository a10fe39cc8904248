import { DOMParser } from '@xmldom/xmldom'

export type XmlElement = Element

export const names = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

// A DTD may define entities; a comment splits a text in two for some readers; CDATA and instructions have no place here.
const neverIn = { answer: /<!|<\?(?!xml\s)/i, file: /<!(?!--)|<\?(?!xml\s)/i } as const
const deepest = 64

const isElement = (node: Node): node is XmlElement => node.nodeType === 1
const elementsIn = (from: XmlElement): XmlElement[] => Array.from(from.childNodes).filter(isElement)

/** Without recursion: what comes later calls itself once a level. */
function tooDeep(root: XmlElement): boolean {
  let level = [root]
  for (let depth = 0; level.length; depth += 1) {
    if (depth > deepest) return true
    level = level.flatMap(elementsIn)
  }
  return false
}

/**
 * The root of an XML text from elsewhere, undefined where it is none that may be read: with a document type or entities of
 * its own, not well-formed, deeper than 64. `file`: comments are allowed.
 */
export function readXml(text: string, kind: keyof typeof neverIn): XmlElement | undefined {
  const plain = text.replace(/^\ufeff/, '').trim()
  if (neverIn[kind].test(plain)) return undefined
  try {
    const errorHandler = (_level: string, message: string) => {
      throw new Error(message)
    }
    const root = new DOMParser({ errorHandler }).parseFromString(plain, 'text/xml').documentElement
    return root && !tooDeep(root) ? root : undefined
  } catch {
    return undefined
  }
}

/** Every element under `from`, whatever its name. */
export const everyElement = (from: XmlElement): XmlElement[] => Array.from(from.getElementsByTagName('*'))

/** Children of this name; `space` is a key of `names`. */
export const childrenOf = (from: XmlElement, space: keyof typeof names, name: string): XmlElement[] =>
  elementsIn(from).filter(one => one.localName === name && one.namespaceURI === names[space])

/** The one child of this name, undefined for none and for more. */
export function onlyChild(from: XmlElement | undefined, space: keyof typeof names, name: string) {
  const found = from ? childrenOf(from, space, name) : []
  return found.length === 1 ? found[0] : undefined
}

export const textOf = (element: XmlElement | undefined): string => element?.textContent?.trim() ?? ''
