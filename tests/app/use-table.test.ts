import { queryAfter } from '@/app/_ui/use-table'

// The query of a list after something was chosen: what was chosen before it stays, whether or not the address has followed.

test.each([
  ['', { filters: { kind: 'gateway' } }, 'kind=gateway'],
  ['q=ap', { filters: { kind: 'gateway' } }, 'kind=gateway&q=ap'],
  ['kind=gateway&q=ap', { search: '' }, 'kind=gateway'],
  ['kind=gateway', { filters: { status: '1' } }, 'kind=gateway&status=1'],
  ['kind=gateway&status=1', { filters: { kind: '' } }, 'status=1'],
  ['tab=port&q=ap', { search: '' }, 'tab=port'],
  ['q=ap&page=3', { sort: { field: 'name', direction: 'desc' as const } }, 'q=ap&sort=name.desc'],
  ['q=ap', { page: 3 }, 'q=ap&page=3'],
])('%j and then %j is %j', (text, part, wanted) => {
  expect(queryAfter(text, part)).toBe(wanted)
})
