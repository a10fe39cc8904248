const lineFeed = 10
const space = 32
const less = 60
/** Digits of the length before a line; more is no length. */
const lengthDigits = 6

const isDigit = (byte: number) => byte >= 48 && byte <= 57
const isBetween = (byte: number) => byte === lineFeed || byte === 13 || byte === 0 || byte === space

export type Splitter = {
  push(chunk: Buffer): void
  /** The connection ended: what is left is a line, too. */
  end(): void
}

/**
 * Lines of a stream, after their length in octets or up to a line feed, as each sender does it (RFC 6587). Of a line at
 * most `most` bytes are held: `take` is told how many more there were.
 */
export function lineSplitter(take: (line: Buffer, lost: number) => void, most: number): Splitter {
  let parts: Buffer[] = []
  let held = 0
  let lost = 0
  /** Octets to come of a line with a length; -1: up to a line feed. */
  let left = -1
  /** What may be a length and its blank; undefined within a line. */
  let head: string | undefined = ''

  const add = (part: Buffer) => {
    const room = part.subarray(0, most - held)
    if (room.length) parts.push(room)
    held += room.length
    lost += part.length - room.length
  }
  const finish = () => {
    if (held) take(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts), lost)
    parts = []
    held = 0
    lost = 0
    left = -1
    head = ''
  }
  /** Between lines: whether the byte was taken. */
  const begin = (byte: number, before: string): boolean => {
    if (before === '' && isBetween(byte)) return true
    const open = !before.endsWith(' ')
    if (open && isDigit(byte) && before.length < lengthDigits) head = before + String.fromCharCode(byte)
    else if (open && byte === space && before !== '') head = `${before} `
    else {
      if (!open && byte === less) left = Number(before)
      else if (before !== '') add(Buffer.from(before))
      head = undefined
      return false
    }
    return true
  }
  /** Takes bytes of a line from `at` on; returns where the next begin. */
  const goOn = (chunk: Buffer, at: number): number => {
    if (left >= 0) {
      const part = chunk.subarray(at, at + left)
      add(part)
      left -= part.length
      if (left === 0) finish()
      return at + part.length
    }
    const end = chunk.indexOf(lineFeed, at)
    add(chunk.subarray(at, end < 0 ? chunk.length : end))
    if (end < 0) return chunk.length
    finish()
    return end + 1
  }
  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; ) {
        const taken = head !== undefined && begin(chunk[at] as number, head)
        at = taken ? at + 1 : goOn(chunk, at)
      }
    },
    end() {
      if (head) add(Buffer.from(head))
      finish()
    },
  }
}
