const loopback = /^127\.|^::1$/

/** The peer as the socket of the server in front saw it (it takes the header away from everybody else); IPv4 without its IPv6 form. */
export const remoteAddress = (headers: Pick<Headers, 'get'>): string =>
  (headers.get('x-lanward-remote') ?? headers.get('x-forwarded-for') ?? '').replace(/^::ffff:/, '')

export const isLoopback = (address: string): boolean => loopback.test(address)
