import type { NativeBlock, Warning } from '../../driver'
import { quote } from '../../shell'
import { type Area, checked, fileBlock, named } from './area'

// Packets from network to network are the kernel's switches, set by a file of sysctl.d(5). networkd's IPForward= is not
// asked: systemd 256 and later ignores it, and what took its place there is no word for systemd 252.

type For = 'lan' | 'wan'

// Behind the others, /etc/sysctl.conf's link `99-sysctl.conf` too: the last one that names a switch counts.
const files = named('/etc/sysctl.d/99-z-lanward-*.conf')
const path = (of: For) => files.glob.replace('*', of)

const switches = { ipv4: 'net.ipv4.ip_forward', ipv6: 'net.ipv6.conf.all.forwarding' }
const inProc = (name: string) => `/proc/sys/${name.replaceAll('.', '/')}`

// A kernel that forwards takes no router's word any more, and drops the default route that it had by it, but where this
// says that it does both. With slashes: an interface's name may have dots (sysctl.d(5)).
const acceptLine = (name: string) => `net/ipv6/conf/${name}/accept_ra = 2`
const acceptPattern = /^net\/ipv6\/conf\/(.+)\/accept_ra = 2$/gm
const acceptProc = (name: string) => `/proc/sys/net/ipv6/conf/${name}/accept_ra`

/**
 * The file that makes the device forward for its networks, or for its ways out. `taught`: interfaces on which the kernel
 * itself takes IPv6 from routers, and is to go on so.
 */
export const forwardingBlock = (of: For, ipv6: boolean, taught: readonly string[]): NativeBlock =>
  fileBlock(
    path(of),
    [
      '# Written by Lanward. Changes made here are replaced.',
      `${switches.ipv4} = 1`,
      ...(ipv6 ? [...taught.map(acceptLine), `${switches.ipv6} = 1`] : []),
      '',
    ].join('\n'),
    { kind: of },
  )

// Before the kernel forwards, or the default route is gone until the router speaks again. What somebody else has switched
// off is left so.
const settleAccepts = `for one in $(sed -n 's|^net/ipv6/conf/\\(.*\\)/accept_ra = 2$|\\1|p' ${files.glob} 2>/dev/null); do
if [ "$(cat ${acceptProc('$one')} 2>/dev/null)" = 1 ]; then echo 2 >${acceptProc('$one')} || return 1; fi
done`

// Written where it differs alone: a write to ip_forward sets each interface's own switches anew. A kernel without IPv6 has
// no such switch. Without our files the kernel is left as it is until the next boot: somebody else may rely on it by now.
const settle = Object.values(switches)
  .map(
    name => `if grep -qs '^${name} = 1$' ${files.glob} && [ -e ${inProc(name)} ] && [ "$(cat ${inProc(name)})" != 1 ]; then
echo 1 >${inProc(name)} || return 1
fi`,
  )
  .join('\n')

const off = (block: NativeBlock): Warning => ({ code: 'forwardingOff', kind: block.kind })

/** Whether the kernel forwards what the device's networks and ways out need. */
export const forwardingArea: Area = {
  files: [files],
  settle: () => [settleAccepts, settle],
  verify: checked(
    block => [
      {
        line: Object.values(switches)
          .filter(name => block.text.includes(name))
          .map(name => `{ [ ! -e ${inProc(name)} ] || [ "$(cat ${inProc(name)})" = 1 ]; }`)
          .join(' && '),
        warning: off(block),
      },
      ...[...block.text.matchAll(acceptPattern)].map(([, name = '']) => ({
        line: `[ "$(cat ${quote(acceptProc(name))} 2>/dev/null)" != 1 ]`,
        warning: { code: 'advertisementsIgnored' as const, kind: block.kind, values: { interface: name } },
      })),
    ],
    5_000,
  ),
}
