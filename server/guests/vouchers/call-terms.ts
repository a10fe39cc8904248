// What the calls about vouchers have in common.

export const reading = { tag: 'guests', scope: 'network', authority: 'vouchers', changes: false } as const
export const changing = {
  tag: 'guests',
  scope: 'network',
  authority: 'vouchers_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
} as const
