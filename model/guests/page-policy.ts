// What a browser may do with the page that guests sign in on.

type More = {
  /** Of scripts that run: hashes and origins; no other does, whatever stands in the page. */
  scripts?: readonly string[]
  /** Whose pictures are shown, and who is told something by those scripts. */
  origin?: string
}

/** Content-Security-Policy of the portal's pages. */
export const pagePolicy = ({ scripts = [], origin }: More = {}): string =>
  [
    "default-src 'none'",
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`] : []),
    "style-src 'unsafe-inline'",
    `img-src 'self' data:${origin ? ` ${origin}` : ''}`,
    "media-src 'self'",
    ...(origin ? [`connect-src ${origin}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
