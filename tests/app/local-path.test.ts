import { localPath } from '@/app/_ui/local-path'

const here = 'https://manager.local:8443'

test.each([
  '//evil.example',
  '///evil.example/',
  '/\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/a/..//evil.example',
  '/a/../\\evil.example/x',
  '/a/%2e%2e//evil.example',
  '/a/.%2E//evil.example?x=1',
  '/a/b/../..//evil.example',
  '/a/\n..//evil.example',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'a/../javascript:alert(1)',
  '/%09/evil.example',
  '/@evil.example',
  '/a/../@evil.example',
  '',
])('the way on after signing in never leads elsewhere: %j', wanted => {
  const to = localPath(wanted)
  expect(new URL(to, here).origin).toBe(here)
  expect(to).toBe('/')
})

test.each(['/login?to=/x', '/wizard', '/app/exports/users', '/api/auth/csrf', '/x/../login'])(
  'nor to what is no page to land on: %j',
  wanted => {
    expect(localPath(wanted)).toBe('/')
  },
)

test.each([
  ['/network/1/devices?page=2&search=a%26b', '/network/1/devices?page=2&search=a%26b'],
  ['/organization/users#x', '/organization/users'],
  ['/network/1/../2/dashboard', '/network/2/dashboard'],
  [['/network/1/dashboard', '/x'], '/'],
  [undefined, '/'],
] as const)('a page of the console is kept: %j', (wanted, to) => {
  expect(localPath(wanted as string)).toBe(to)
})
