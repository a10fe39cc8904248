// MD4 (RFC 1320), which OpenSSL gives to nobody any more: MS-CHAPv2 keeps passwords by it.

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by))

type Round = {
  mix(x: number, y: number, z: number): number
  add: number
  order: readonly number[]
  by: readonly number[]
}
const rounds: readonly Round[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    add: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    by: [3, 7, 11, 19],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    add: 0x5a827999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    by: [3, 5, 9, 13],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    add: 0x6ed9eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    by: [3, 9, 11, 15],
  },
]

type Four = [number, number, number, number]

function turned(state: Four, block: Buffer): Four {
  let [a, b, c, d] = state
  for (const { mix, add, order, by } of rounds)
    for (const [at, word] of order.entries()) {
      const sum = (a + mix(b, c, d) + block.readUInt32LE(word * 4) + add) | 0
      ;[a, b, c, d] = [d, rotate(sum, by[at % 4] ?? 0), b, c]
    }
  return [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0]
}

export function md4(message: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64)
  message.copy(padded)
  padded[message.length] = 0x80
  padded.writeBigUInt64LE(BigInt(message.length) * 8n, padded.length - 8)
  let state: Four = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476]
  for (let at = 0; at < padded.length; at += 64) state = turned(state, padded.subarray(at, at + 64))
  const sum = Buffer.alloc(16)
  for (const [at, word] of state.entries()) sum.writeInt32LE(word, at * 4)
  return sum
}

/** What MS-CHAPv2 knows of a password (RFC 2759 section 8.3), 32 hexadecimal digits: whoever has it signs in as well. */
export const ntHash = (password: string): string => md4(Buffer.from(password, 'utf16le')).toString('hex')
