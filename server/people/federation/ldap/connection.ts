import { connect as connectPlain, isIP, isIPv6, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { BerReader, Client } from 'ldapts'
import { pemsIn } from '@/server/kernel/certificates/read'
import type { Directory } from './directory'

const connectMs = 5000
const wholeMs = 10_000
/** More than this is no answer to what is asked here. */
const bytesMost = 1 << 20
const responseMost = 4096

/** LDAPMessage 1: ExtendedRequest 1.3.6.1.4.1.1466.20037 (RFC 4511 section 4.14). */
const startTlsRequest = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
])
const extendedResponse = 0x78
const sequence = 0x30

/**
 * Whether what came agrees to StartTLS; undefined while that is not all of it. Bytes behind the answer came in clear, from
 * anybody: taken as what comes by TLS later, they would answer for the directory.
 */
function agrees(bytes: Buffer): boolean | undefined {
  if (bytes[0] !== sequence) return false
  const reader = new BerReader(bytes)
  if (!reader.readSequence() || reader.remain < reader.length) return undefined
  if (reader.remain > reader.length) return false
  reader.readInt()
  return reader.readSequence() === extendedResponse && reader.readEnumeration() === 0
}

/** A connection in clear whose other end waits for TLS. */
function readyForTls(socket: Socket): Promise<void> {
  let bytes = Buffer.alloc(0)
  return new Promise((done, failed) => {
    const end = (error: Error) => failed(error)
    socket.once('error', end)
    socket.once('close', () => end(new Error('The server closed the connection.')))
    socket.once('connect', () => socket.write(startTlsRequest))
    socket.on('data', function take(chunk: Buffer) {
      bytes = Buffer.concat([bytes, chunk])
      try {
        const agreed = bytes.length > responseMost ? false : agrees(bytes)
        if (agreed === undefined) return
        socket.off('data', take)
        if (agreed) done()
        else end(new Error('The server refuses StartTLS.'))
      } catch {
        end(new Error('This is no LDAP server.'))
      }
    })
  })
}

/** `address`: where it was found to be; its name is not asked for once more, and its certificate has to have the name. */
export type LocatedDirectory = Directory & { address?: string }

function tlsOptions({ host, address = host, ca }: LocatedDirectory): ConnectionOptions {
  return {
    host: address,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca && { ca: pemsIn(ca) }),
  }
}

/** Whatever else happens, it is over by then. */
function late(): { promise: Promise<never>; clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error('The server did not answer in time.')), wholeMs)
  })
  return { promise, clear: () => clearTimeout(timer) }
}

/**
 * Speaks to the directory over a connection of its own, by TLS alone; it is closed afterwards. Throws what the library or
 * the socket says. The library reads all that waits by recursion: it is given TLS alone, whose pieces are small enough.
 */
export async function withDirectory<T>(directory: LocatedDirectory, work: (client: Client) => Promise<T>): Promise<T> {
  const { host, address = host, port, security } = directory
  const sockets: Socket[] = []
  const end = late()
  const open = async (): Promise<T> => {
    const plain = security === 'starttls' ? connectPlain(port, address) : undefined
    if (plain) {
      sockets.push(plain)
      await readyForTls(plain)
    }
    const secure = () => {
      const socket = connectTls({ ...tlsOptions(directory), ...(plain ? { socket: plain } : { port }) })
      let bytes = 0
      socket.on('data', chunk => {
        bytes += chunk.length
        if (bytes > bytesMost) socket.destroy()
      })
      sockets.push(socket)
      return socket
    }
    const client = new Client({
      url: `ldaps://${isIPv6(host) ? `[${host}]` : host}:${port}`,
      timeout: wholeMs,
      connectTimeout: connectMs,
      createSecureConnection: secure as typeof connectTls,
    })
    return work(client)
  }
  try {
    return await Promise.race([open(), end.promise])
  } finally {
    end.clear()
    for (const socket of sockets) socket.on('error', () => undefined).destroy()
  }
}
