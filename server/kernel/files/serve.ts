import { createReadStream } from 'node:fs'

/** One part of a file, as players of video and interrupted downloads ask for it (RFC 9110 section 14); undefined: the whole. */
export function rangeOf(header: string | null, length: number): { from: number; to: number } | 'unfit' | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return undefined
  const last = length - 1
  const from = found[1] === '' ? Math.max(0, length - Number(found[2])) : Number(found[1])
  const to = found[1] === '' || found[2] === '' ? last : Math.min(last, Number(found[2]))
  return from > to ? 'unfit' : { from, to }
}

/** Node's own Readable.toWeb throws when a client goes away in the middle; this one is pulled. */
function streamOf(file: string, { from, to }: { from: number; to: number }): ReadableStream<Uint8Array> {
  async function* read(): AsyncGenerator<Uint8Array> {
    yield* createReadStream(/* turbopackIgnore: true */ file, { start: from, end: to })
  }
  // Opened when it is first asked for: one that nobody reads leaves nothing open.
  const pieces = read()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

const escaped = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** RFC 6266: a name in ASCII for everybody, and beside it as it is where that is more. */
export function asAttachment(name: string): string {
  const plain = name.toWellFormed().replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${escaped(name.toWellFormed())}`}`
}

export type Served = { path: string; name: string; type: string; bytes: number }

/** A file, or the part of it that is asked for, to be saved: a browser shows nothing of it and runs nothing in it. */
export function fileResponse(request: Request, { path, name, type, bytes }: Served): Response {
  const range = rangeOf(request.headers.get('range'), bytes)
  if (range === 'unfit') return new Response(null, { status: 416, headers: { 'content-range': `bytes */${bytes}` } })
  const { from, to } = range ?? { from: 0, to: bytes - 1 }
  const headers = {
    'content-type': type,
    'content-length': String(to - from + 1),
    'content-disposition': asAttachment(name),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store, no-transform',
    'accept-ranges': 'bytes',
    ...(range && { 'content-range': `bytes ${from}-${to}/${bytes}` }),
  }
  return new Response(bytes === 0 ? null : streamOf(path, { from, to }), { status: range ? 206 : 200, headers })
}
