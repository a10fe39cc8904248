/** Numbers of the specification (2-rules.md section 9): expired is whoever was in. */
export const guestStates = { expired: 0, succeeded: 1, failed: 2 } as const
export type GuestState = (typeof guestStates)[keyof typeof guestStates]
export const everyGuestState = Object.values(guestStates)

/**
 * Why somebody is not in any more, or was not let in. `again`: came in once more, by other means; `moved`: another
 * device took its place on the voucher; `gateway`: no gateway let
 * the guest in; `closed`: no gateway has guests in that network any more.
 */
export const guestEnds = [
  ...([
    'time',
    'bytes',
    'idle',
    'voucher',
    'signedOut',
    'removed',
    'again',
    'moved',
    'closed',
    'gateway',
    'blocked',
  ] as const),
  ...(['dailyTime', 'dailyBytes', 'monthlyBytes'] as const),
  ...([
    'wrongPassword',
    'passwordOver',
    'wrongVoucher',
    'voucherUsedUp',
    'voucherDevicesFull',
    'devicesFull',
    'wrongCode',
    'wrongLogin',
    'loginSilent',
    'wrongAnswer',
    'notAllowed',
  ] as const),
] as const
export type GuestEnd = (typeof guestEnds)[number]
