const mostTexts = 8192
const longest = 64
const known = new Map<string, string>()

/**
 * The same text as one string: thousands of devices name their ports alike, and each reading makes new strings.
 * Bounded, as devices choose what they say.
 */
export function sharedText(text: string): string {
  if (text.length > longest) return text
  const held = known.get(text)
  if (held !== undefined) return held
  if (known.size >= mostTexts) known.clear()
  known.set(text, text)
  return text
}
