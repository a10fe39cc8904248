function isPath(path: string): boolean {
  try {
    return path.startsWith('/') && decodeURIComponent(path).length > 0
  } catch {
    return false
  }
}

// By dots and backslashes a path leads elsewhere than it begins.
const posted = (url: string) => /^\/(app|cgi|api)(\/|$)/.test(new URL(`http://localhost${url}`).pathname)

/**
 * The status that refuses a request by its first line; undefined for one as a browser or a script of this manager sends it.
 * Next answers a whole address (as a proxy gets it) with the way to that address, fails on `*` and on a stray %, and draws
 * pages for methods that nobody uses. Pages are only read: their decoder of posted actions has nothing to do here.
 */
export function refusedLine(method: string | undefined, url: string | undefined): 400 | 405 | undefined {
  if (!isPath(url?.split('?', 1)[0] ?? '')) return 400
  if (method === 'POST') return posted(url ?? '') ? undefined : 405
  return method === 'GET' || method === 'HEAD' ? undefined : 405
}
