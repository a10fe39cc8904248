// What calls about an organization's networks state alike.

export const reading = {
  tag: 'networks',
  scope: 'organization',
  authority: 'organization_network',
  changes: false,
} as const

export const changing = {
  tag: 'networks',
  scope: 'organization',
  authority: 'organization_network_add',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const
