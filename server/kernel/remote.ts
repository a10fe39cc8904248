const loopback = /^127\.|^::1$/

/**
 * Who asks, as the server in front judged it (it takes the header away from everybody else): an address, IPv4 without its
 * IPv6 form, or `via ADDRESS` of a proxy that nobody trusts. Loopback is this machine itself, and no proxy on it.
 */
export const remoteAddress = (headers: Pick<Headers, 'get'>): string =>
  (headers.get('x-lanward-remote') ?? '').replace(/^::ffff:/, '')

export const isLoopback = (address: string): boolean => loopback.test(address)
