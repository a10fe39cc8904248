import { toolRequest } from '@/model/troubleshooting/request'

const wrong = (more: object) => {
  const read = toolRequest.safeParse({ tool: 'capture', ...more })
  return read.success ? undefined : read.error.issues.map(one => one.path.join('.')).join(' ')
}

test.each([
  ['a', undefined],
  ['Uplink_2', undefined],
  ['x'.repeat(32), undefined],
  ['', 'name'],
  ['x'.repeat(33), 'name'],
  ['up link', 'name'],
  ['up-link', 'name'],
  ['../etc', 'name'],
  ['größe', 'name'],
])('N8: a capture called %j', (name, at) => expect(wrong({ name })).toBe(at))

test.each([
  [1, undefined],
  [65_535, undefined],
  [0, 'port'],
  [65_536, 'port'],
  [1.5, 'port'],
  ['53', 'port'],
])('N9: a capture of port %j', (port, at) => expect(wrong({ port })).toBe(at))

test.each([
  [{ filter: '-w /etc/passwd' }, 'filter'],
  [{ filter: 'icmp\nreboot' }, 'filter'],
  [{ filter: 'x'.repeat(301) }, 'filter'],
  [{ filter: 'icmp or (tcp and port 80)' }, undefined],
  [{ interface: '-w' }, undefined],
  [{ interface: 'eth0;reboot' }, 'interface'],
  [{ interface: '' }, 'interface'],
  [{ seconds: 61 }, 'seconds'],
  [{ packets: 2001 }, 'packets'],
  [{ bytes: 63 }, 'bytes'],
])('its bounds and words: %j', (more, at) => expect(wrong(more)).toBe(at))
