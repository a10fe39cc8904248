// SHA-256 (FIPS 180-4), because `crypto.subtle` is missing on plain http, where a console in a LAN may well be opened.
const primes = (() => {
  const found: number[] = []
  for (let n = 2; found.length < 64; n++) if (found.every(p => n % p !== 0)) found.push(n)
  return found
})()
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) >>> 0
const constants = primes.map(prime => fraction(Math.cbrt(prime)))
const start = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)))

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** The message with its end mark and length, in whole blocks of 64 bytes. */
function padded(message: Uint8Array): DataView {
  const bytes = new Uint8Array((((message.length + 8) >> 6) + 1) << 6)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(bytes.length - 4, (message.length << 3) >>> 0)
  return view
}

function schedule(view: DataView, at: number): Uint32Array {
  const w = new Uint32Array(64)
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + i * 4)
  const word = (i: number) => w[i] as number
  for (let i = 16; i < 64; i++) {
    const a = word(i - 15)
    const b = word(i - 2)
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    w[i] = word(i - 16) + s0 + word(i - 7) + s1
  }
  return w
}

type State = [number, number, number, number, number, number, number, number]

function compress(state: State, w: Uint32Array): State {
  let [a, b, c, d, e, f, g, h] = state
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] as number) + (w[i] as number)) | 0
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  const next = [a, b, c, d, e, f, g, h]
  return state.map((word, i) => (word + (next[i] as number)) | 0) as State
}

/** SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export function sha256Hex(text: string): string {
  const view = padded(new TextEncoder().encode(text))
  let state = start as State
  for (let at = 0; at < view.byteLength; at += 64) state = compress(state, schedule(view, at))
  return state.map(word => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** What stands for a password on the wire at sign-in: the digest of its NFKC form. */
export const passwordOnWire = (password: string): string => sha256Hex(password.normalize('NFKC'))
