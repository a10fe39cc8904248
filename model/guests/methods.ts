/** How a guest gets in, by the specification's code of the authentication type. */
export const guestMethods = {
  free: 0,
  radius: 1,
  external: 10,
  voucher: 12,
  simplePassword: 13,
  form: 15,
  sms: 17,
  email: 19,
  directory: 20,
} as const
export type GuestMethod = keyof typeof guestMethods
/** By which a code is sent. */
export type CodeWay = 'email' | 'sms'

/** By which the manager learns who somebody is: what it learnt is forgotten when the portal says. */
export const personalMethods: readonly GuestMethod[] = ['form', 'email', 'sms', 'radius', 'directory', 'external']

/** By which somebody proves something that others may know, too: a password, an account, an address, a number. Vouchers say their own number of devices. */
export const credentialMethods: readonly GuestMethod[] = [
  ...(['simplePassword', 'email', 'sms', 'radius', 'directory', 'external'] as const),
]
