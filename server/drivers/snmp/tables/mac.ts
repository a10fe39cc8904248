/** MAC address of six numbers of an index. Group addresses and zero are no hosts. */
export function macOf(parts: number[]): string | undefined {
  if (parts.length !== 6 || parts.some(each => !(each >= 0 && each <= 255))) return undefined
  if (((parts[0] ?? 0) & 1) === 1 || parts.every(each => each === 0)) return undefined
  return parts.map(each => each.toString(16).padStart(2, '0')).join(':')
}
