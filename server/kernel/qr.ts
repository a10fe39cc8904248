import { encode } from 'uqr'

/** A QR code as one SVG path of unit squares; `size`: how many there are along an edge, with the quiet zone of 4. */
export type QrCode = { size: number; path: string }

/** Error correction M: a seventh of it may be covered. */
export function qrOf(text: string): QrCode {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, path: squares.join('') }
}
