import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { ask, root } from '../appliance/_manager'
import { type Row, row } from './table'

const scripts = (html: string) =>
  new Set(
    [...html.matchAll(/<script[^>]+src="(\/_next\/static\/[^"?]+)[^"]*"([^>]*)>/g)]
      .filter(found => !/nomodule/i.test(found[0]))
      .map(found => found[1] ?? ''),
  )

const gzipKb = (paths: Iterable<string>) =>
  [...paths].reduce(
    (sum, path) => sum + gzipSync(readFileSync(`${root}/.next/${path.replace('/_next/', '')}`), { level: 9 }).length,
    0,
  ) / 1024

/** First-load JavaScript of pages over the framework's own (what the build puts on every page), gzip kB. */
export async function measureBundles(
  base: string,
  cookie: string,
  pages: readonly { path: string; aim: number }[],
): Promise<Row[]> {
  const page = async (path: string) => scripts((await ask(`${base}${path}`, { headers: { cookie } })).body)
  const manifest = JSON.parse(readFileSync(`${root}/.next/build-manifest.json`, 'utf8')) as { rootMainFiles: string[] }
  const bare = gzipKb(manifest.rootMainFiles)
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
