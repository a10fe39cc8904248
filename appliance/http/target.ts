function isPath(path: string): boolean {
  try {
    return path.startsWith('/') && decodeURIComponent(path).length > 0
  } catch {
    return false
  }
}

/**
 * The status that refuses a request by its first line; undefined for one as a browser or a script of this manager sends it.
 * Next answers a whole address (as a proxy gets it) with the way to that address, fails on `*` and on a stray %, and draws
 * pages for methods that nobody uses.
 */
export function refusedLine(method: string | undefined, url: string | undefined): 400 | 405 | undefined {
  if (!isPath(url?.split('?', 1)[0] ?? '')) return 400
  return method === 'GET' || method === 'HEAD' || method === 'POST' ? undefined : 405
}
