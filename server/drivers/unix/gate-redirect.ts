import { type Away, awayText } from './gate-away'

// What answers a guest's first request: where the portal is, and who asks, signed with the network's key.

type Redirect = {
  /** Shell that sets `ip`, `host`, `path`, and `url`, `key`: where the portal is, and the network's key. */
  read: string
  /** File of `lan LINK DOCUMENT …` lines. */
  lans: string
  /** A program that prints its input as hexadecimal digits, with or without blanks. */
  hex: string
  /** The answer's head of a status and other headers, as printf takes it; lines end with `\\r\\n`. */
  head: (status: string, headers: string) => string
  /** What the gateway does by itself while the manager does not answer; absent: nothing. */
  away?: Away
}

/** Nothing that a guest sends is ever a word of the shell. */
export const redirectScript = ({ read, lans, hex, head, away }: Redirect): string => `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
# Answers one request: where the portal is, and who asks, signed.
set -f
LC_ALL=C; export LC_ALL
PATH=/usr/sbin:/usr/bin:/sbin:/bin
${read}
link= mac= lan=
set -- $(ip neigh show "$ip")
while [ $# -gt 1 ]; do case $1 in dev) link=$2 ;; lladdr) mac=$2 ;; esac; shift; done
lans=${lans}
while read -r word one id idles down up rest; do
  [ "$word $one" != "lan $link" ] || { lan=$id idle=$idles held_down=$down held_up=$up; }
done <$lans
if [ -z "$mac" ] || [ -z "$lan" ]; then
  printf '${head('404 Not Found', '')}'; exit 0
fi
case $path in /*) ;; *) path=/ ;; esac
hash() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
${away ? awayText(away) : ''}asked=$(printf 'http://%.255s%.512s' "$host" "$path" | ${hex} | tr -d ' \\n' | sed 's/../%&/g')
at=$(date +%s)
sig=$(hash "$key$(hash "$key$lan $mac $ip $at")")
printf '${head('302 Found', 'Location: %s/%s?mac=%s&ip=%s&at=%s&url=%s&sig=%s\\r\\nCache-Control: no-store\\r\\n')}' \\
  "$url" "$lan" "$mac" "$ip" "$at" "$asked" "$sig"
`
