import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A place in a built file as V8 writes it: `(/a/b.js:1:20)`, `at file:///a/b.mjs:1:20`. */
const place = /(?<=[\s(])(?:file:\/\/)?\/[^\s()]+\.m?js:\d+:\d+/g
/** Places whose origin is known; what goes wrong, goes wrong at few of them, again and again. */
const known = new Map<string, string>()
const most = 1000

/** Beside the file, or at its end. Throws where it has none, as most of Node's and of packages. */
function mapOf(file: string): SourceMapPayload {
  const beside = `${file}.map`
  if (existsSync(/* turbopackIgnore: true */ beside))
    return JSON.parse(readFileSync(/* turbopackIgnore: true */ beside, 'utf8'))
  const [, inline = ''] =
    /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(
      readFileSync(/* turbopackIgnore: true */ file, 'utf8'),
    ) ?? []
  return JSON.parse(Buffer.from(inline, 'base64').toString())
}

function originOf(text: string): string {
  const [, where = '', line = '', column = ''] = /^(.+):(\d+):(\d+)$/.exec(text) ?? []
  try {
    const file = where.startsWith('file:') ? fileURLToPath(where) : where
    const origin = new SourceMap(mapOf(file)).findOrigin(Number(line), Number(column))
    if (!('fileName' in origin)) return text
    return `${resolve(dirname(file), origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`
  } catch {
    return text
  }
}

/**
 * The text with places of built files as places of their sources, by the maps beside the files. Node would do that itself
 * (`--enable-source-maps`), and for that keep the maps of all it has loaded, in each thread: a fifth of a small manager's
 * memory. Here a map is read when a trace is written, and let go.
 */
export function toSources(text: string): string {
  if (!text.includes('    at ')) return text
  return text.replace(place, found => {
    const held = known.get(found)
    if (held !== undefined) return held
    const origin = originOf(found)
    if (known.size >= most) known.clear()
    known.set(found, origin)
    return origin
  })
}
