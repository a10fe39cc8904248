import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { ask, root } from '../appliance/_manager'
import { type Row, row } from './table'

/** Scripts that a page's HTML names: those that it runs, and those of its parts that are loaded with it. */
export const scriptsOf = (html: string): ReadonlySet<string> =>
  new Set(
    [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="(\/_next\/static\/[^"?]+\.js)[^"]*"[^>]*>/g)]
      .filter(found => !/nomodule/i.test(found[0]))
      .map(found => found[1] ?? ''),
  )

/** What files of the build take together, gzip kB. */
export const gzipKb = (paths: Iterable<string>): number =>
  [...paths].reduce(
    (sum, path) => sum + gzipSync(readFileSync(`${root}/.next/${path.replace('/_next/', '')}`), { level: 9 }).length,
    0,
  ) / 1024

/** What the build puts on every page, gzip kB. */
export function frameworkKb(): number {
  const manifest = JSON.parse(readFileSync(`${root}/.next/build-manifest.json`, 'utf8')) as { rootMainFiles: string[] }
  return gzipKb(manifest.rootMainFiles)
}

/** First-load JavaScript of pages over the framework's own (what the build puts on every page), gzip kB. */
export async function measureBundles(
  base: string,
  cookie: string,
  pages: readonly { path: string; aim: number }[],
): Promise<Row[]> {
  const page = async (path: string) => scriptsOf((await ask(`${base}${path}`, { headers: { cookie } })).body)
  const bare = frameworkKb()
  const rows = [row('first-load JavaScript, framework alone', bare, 'kB gzip', undefined, 0)]
  for (const { path, aim } of pages)
    rows.push(
      row(
        `first-load JavaScript of ${path.replace(/\d+/, '{n}')} over it`,
        gzipKb(await page(path)) - bare,
        'kB gzip',
        aim,
        0,
      ),
    )
  return rows
}
