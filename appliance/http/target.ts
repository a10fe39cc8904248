/**
 * Whether a request's first line has a path as a browser or a script of this manager sends it. Next answers a whole address (as
 * a proxy gets it) with the way to that address, and fails on `*` and on a stray %.
 */
export function isPath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  try {
    return path.startsWith('/') && decodeURIComponent(path).length > 0
  } catch {
    return false
  }
}

// By dots and backslashes a path leads elsewhere than it begins.
export const posted = (url: string) => /^\/(app|cgi|api)(\/|$)/.test(new URL(`http://localhost${url}`).pathname)
