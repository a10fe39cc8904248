import type { Observation } from '../../observation'
import { clean, lines } from '../../unix/text'

/** `index=3 /etc/systemd/network/10-lan.network`, `name=eth0 ifupdown`: interface to what gives it its addresses. */
export const configuredBy = (text: string | undefined): Map<string, string> =>
  new Map(
    lines(text)
      .slice(0, 1_000)
      .flatMap(line => {
        const [key, ...by] = line.split(' ')
        const owner = clean(by.join(' '), 200)
        return key && owner ? [[key, owner] as const] : []
      }),
  )

const wildcard = /^(?:0\.0\.0\.0|\*|\[::\]):(53|67)$/

/** `ss -Hlnup`, behind `own PID` lines: who listens on every interface. A socket bound to one interface (`%eth1`) disturbs no other. */
export function readServers(text: string | undefined): Observation['servers'] {
  if (text === undefined) return undefined
  const all = lines(text).slice(0, 500)
  const own = new Set(all.flatMap(line => /^own (\d+)$/.exec(line)?.[1] ?? []))
  const found = all.flatMap(line => {
    const [, , , address = '', , users = ''] = line.trim().split(/\s+/)
    const port = wildcard.exec(address)?.[1]
    const [, program, pid] = /\("([^"]{1,64})",pid=(\d+)/.exec(users) ?? []
    return port && program && pid && !own.has(pid)
      ? [{ port: Number(port) as 53 | 67, program: clean(program, 64) ?? '' }]
      : []
  })
  return found.filter(
    (one, at) => found.findIndex(other => other.port === one.port && other.program === one.program) === at,
  )
}

/** Who configures which interface, and who serves names and addresses. */
export const ownersScript = String.raw`
part configured
for f in /run/systemd/netif/links/*; do
  [ -r "$f" ] && n=$(sed -n 's/^NETWORK_FILE=//p' "$f") && [ -n "$n" ] && echo "index=${'$'}{f##*/} $n"
done
cat /etc/network/interfaces /etc/network/interfaces.d/* | while read -r w name family method rest; do
  [ "$w" = iface ] && case $method in manual | loopback) ;; *) echo "name=$name /etc/network/interfaces" ;; esac
done
has nmcli && limit nmcli -t -f DEVICE,STATE device | sed -n 's/^\(.*\):connected$/name=\1 NetworkManager/p'
done_ 0
if has ss; then part servers
  for p in $(pgrep -f /etc/lanward/dhcp-); do echo "own $p"; done
  limit ss -Hlnup 'sport = :53 or sport = :67'; done_ 0
fi
`
