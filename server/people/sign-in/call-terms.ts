// What calls about one's own account state alike.

export const reading = { tag: 'account', authority: 'session', scope: 'organization', changes: false } as const

export const changing = {
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const
