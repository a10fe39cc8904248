/** A path of this console to go to after signing in; anything that could lead elsewhere becomes the home page. */
export function localPath(wanted: string | string[] | undefined): string {
  if (typeof wanted !== 'string' || !/^\/[\w-]/.test(wanted)) return '/'
  // A path is resolved as the browser will, so that tricks with back slashes, tabs and dots show.
  if (!URL.canParse(wanted, 'http://here.invalid')) return '/'
  const url = new URL(wanted, 'http://here.invalid')
  // `/a/..//elsewhere` is of this host, and resolves to a path that is another one's address.
  if (url.host !== 'here.invalid' || !/^\/[\w-]/.test(url.pathname)) return '/'
  return /^\/(login|wizard|app\/|api\/)/.test(url.pathname) ? '/' : `${url.pathname}${url.search}`
}
