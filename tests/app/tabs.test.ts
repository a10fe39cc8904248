// Tabs of one page: what the page is about stays, what is looked for in one of them is its own.
import { tabQuery } from '@/app/_ui/tabs'

test.each([
  // now, tab, first, as it was left → query
  ['q=ap&page=3&sort=name.desc&role=5', 'roles', false, undefined, 'tab=roles'],
  ['tab=roles&q=x', 'users', true, 'q=ap&role=5', 'q=ap&role=5'],
  ['tab=roles&q=x', 'companies', false, 'tab=companies&q=b', 'q=b&tab=companies'],
  ['id=7&q=x', 'clients', false, undefined, 'id=7&tab=clients'],
  ['id=8&tab=clients', 'clients', false, 'id=7&tab=clients&q=y', 'id=8&q=y&tab=clients'],
  ['', 'users', true, undefined, ''],
])('%j, then tab %s: %j', (now, tab, first, left, wanted) => {
  expect(tabQuery(now, tab, first, left)).toBe(wanted)
})
