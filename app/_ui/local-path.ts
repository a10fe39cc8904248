/** A path of this console to go to after signing in; anything that could lead elsewhere becomes the home page. */
export function localPath(wanted: string | string[] | undefined): string {
  if (typeof wanted !== 'string' || !/^\/[\w-]/.test(wanted)) return '/'
  // A path is resolved as the browser will, so that tricks with back slashes, tabs and dots show.
  if (!URL.canParse(wanted, 'http://here.invalid')) return '/'
  const url = new URL(wanted, 'http://here.invalid')
  if (url.host !== 'here.invalid' || /^\/(login|wizard|app\/|api\/)/.test(url.pathname)) return '/'
  return `${url.pathname}${url.search}`
}
