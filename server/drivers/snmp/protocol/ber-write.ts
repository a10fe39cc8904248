import { encodeOid, type Oid, tag } from './ber'

// Writing BER: the requests of SNMP (RFC 1157, RFC 3416).

function lengthBytes(length: number): number[] {
  if (length < 128) return [length]
  if (length < 256) return [0x81, length]
  return [0x82, length >> 8, length & 255]
}

export function tlv(type: number, ...content: Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from([type, ...lengthBytes(length)]), ...content])
}

/** Two's complement in as few bytes as it takes. */
export function integer(value: number, type: number = tag.integer): Buffer {
  const out: number[] = []
  let rest = Math.trunc(value)
  do {
    out.unshift(((rest % 256) + 256) % 256)
    rest = Math.floor(rest / 256)
  } while (!(rest === 0 && (out[0] ?? 0) < 128) && !(rest === -1 && (out[0] ?? 0) > 127))
  return tlv(type, Buffer.from(out))
}

export type Setting = { oid: string; type: number; value: number | string | Buffer }

function encodeValue({ type, value }: Setting): Buffer {
  if (typeof value === 'number') return integer(value, type)
  if (type === tag.oid) return tlv(type, encodeOid(String(value)))
  if (type === tag.ipAddress) return tlv(type, Buffer.from(String(value).split('.').map(Number)))
  return tlv(type, Buffer.from(value as string))
}

export type Request = {
  version: 0 | 1
  community: Buffer
  type: number
  id: number
  /** error-status and error-index, or non-repeaters and max-repetitions of a GETBULK. */
  first?: number
  second?: number
  oids: Oid[]
  settings?: Setting[]
}

const headSize = (length: number) => (length < 128 ? 2 : length < 256 ? 3 : 4)

function putHead(out: Buffer, at: number, type: number, length: number): number {
  out[at] = type
  if (length < 128) {
    out[at + 1] = length
    return at + 2
  }
  if (length < 256) {
    out[at + 1] = 0x81
    out[at + 2] = length
    return at + 3
  }
  out[at + 1] = 0x82
  out[at + 2] = length >> 8
  out[at + 3] = length & 255
  return at + 4
}

/** The list of names to ask for, each with a null: one buffer, since every poll makes some. */
function encodeNames(oids: Oid[]): Buffer {
  const sizes = oids.map(({ bytes }) => headSize(bytes.length) + bytes.length + 2)
  const content = sizes.reduce((sum, size) => sum + headSize(size) + size, 0)
  const out = Buffer.allocUnsafe(headSize(content) + content)
  let at = putHead(out, 0, 0x30, content)
  for (let i = 0; i < oids.length; i++) {
    const { bytes } = oids[i] as Oid
    at = putHead(out, putHead(out, at, 0x30, sizes[i] as number), tag.oid, bytes.length)
    out.set(bytes, at)
    at += bytes.length
    out[at++] = tag.null
    out[at++] = 0
  }
  return out
}

/** The PDU of a request, without the message around it. */
export function encodePdu(request: Omit<Request, 'version' | 'community'>): Buffer {
  const setting = (each: Setting) => tlv(0x30, tlv(tag.oid, encodeOid(each.oid)), encodeValue(each))
  const bindings = request.settings ? tlv(0x30, ...request.settings.map(setting)) : encodeNames(request.oids)
  return tlv(request.type, integer(request.id), integer(request.first ?? 0), integer(request.second ?? 0), bindings)
}

export const encodeRequest = (request: Request): Buffer =>
  tlv(0x30, integer(request.version), tlv(tag.octets, request.community), encodePdu(request))
