import { prefix } from './package'

// Sections without a name: here `@zone[1]` is the second zone that is not ours, for uci the second of all.

/** What `uci show` prints first, then commands of `uci batch`: these with the places at which uci has the sections. */
const program = `
!commands {
  if ($0 !~ /^[a-z0-9]+[.][^.=]+=[A-Za-z0-9_-]+$/) next
  dot = index($0, "."); is = index($0, "=")
  file = substr($0, 1, dot); name = substr($0, dot + 1, is - dot - 1); type = substr($0, is + 1)
  if (index(name, "${prefix}") != 1) place[file "@" type "[" (count[file type]++ + 0) "]"] = file name
  next
}
{
  key = substr($0, index($0, " ") + 1)
  if (!match(key, /^[a-z0-9]+[.]@[A-Za-z0-9_-]+[[][0-9]+[]]/)) { print; next }
  own = substr(key, 1, RLENGTH)
  if (!(own in place)) { gone = 1; exit }
  print substr($0, 1, index($0, " ")) place[own] substr(key, RLENGTH + 1)
}
END { exit gone }`

/** Shell that does this to `$D/new/0`, which holds `commands`: when of ours those that go are gone, and before others come. */
export const placeSections = (names: readonly string[], commands: string): string =>
  !/^\w+ [a-z0-9]+\.@/m.test(commands)
    ? ':'
    : `{ ${names.map(name => `uci -q show ${name}`).join('; ')}; } |
  awk '${program}
' commands=0 - commands=1 $D/new/0 >$D/new/placed && mv $D/new/placed $D/new/0 || { echo 'an imported section is gone' >&2; return 1; }`
