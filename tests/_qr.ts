import jsQR from 'jsqr'

/** Pixels along a module's edge, as a camera sees it. */
const scale = 4

/** What a camera reads from a QR code of unit squares; null where it reads none. */
export function read({ size, path }: { size: number; path: string }): string | null {
  const edge = size * scale
  const pixels = new Uint8ClampedArray(edge * edge * 4).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < scale; row++)
      for (let column = 0; column < scale; column++) {
        const at = ((Number(y) * scale + row) * edge + Number(x) * scale + column) * 4
        pixels.fill(0, at, at + 3)
      }
  return jsQR(pixels, edge, edge)?.data ?? null
}

/** The fields of `WIFI:T:WPA;S:…;P:…;;`, as a phone takes them apart: a backslash before a sign takes its meaning away. */
export function joinFields(text: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.replace(/^WIFI:/, '').matchAll(/([A-Z]):((?:\\.|[^\\;])*);/g))
    fields[name] = value.replaceAll(/\\(.)/g, '$1')
  return fields
}
