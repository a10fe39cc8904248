import { slowLines } from '../guests'
import { classProgram, stateProgram } from './gate-kept'
import { goneOf, rootLines } from './gate-lines'
import { firstGuest, gateTable, markBase } from './gate-rules'

// What a gateway does by itself while the manager does not answer: a page, and vouchers of a list that it was given.
//
// list:  lanward 1 DIGEST MADE
//        p LAN DOWN UP TERMS
//        x MAC UNTIL
//        v HASH VOUCHER SECONDS RUNS BYTES PER MOST DOWN UP UNTIL DEVICES
// used:  u AT MAC VOUCHER LAN QUOTA SECONDS BYTES ADDRESS
//        b AT MAC BYTES
//
// Times are Unix seconds, rates kbit/s, `-` is no limit. SECONDS and BYTES are left at MADE; RUNS is 1 where the time ran
// on then. PER says whose the bytes are: v (the voucher) or d (each device). DEVICES are `MAC/USED/TOLD`, by commas: bytes
// that count of it, and what this gateway's count stood at then.

/** Of a page, as printf takes them in double quotes: no script runs, whatever stands in it. */
export const pageHeaders =
  "Content-Type: text/html; charset=utf-8\\r\\nCache-Control: no-store\\r\\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'\\r\\n"

/** Within ten minutes, as at the manager's own portal: of a device, of all. */
const guesses = { device: 6, all: 240, seconds: 600 }

const codeProgram = `{
  for (at = 1; at <= 9; at++) sum += (index("23456789CDFHJKMNPRTVWXY", substr($1, at, 1)) - 1) * (10 - at)
  exit sum % 23
}`

/** One line: \`no WHY\`, or \`yes VOUCHER SECONDS BYTES DOWN UP\`. */
const judgeProgram = `
$1 == "q" { counted[$2] = $3 }
$1 == "+" { quota_of[$3] = $5 }
$1 == "-" { delete quota_of[$3] }
$1 == "b" { final[$2 " " $3] = $4 }
$1 == "u" && $4 == id {
  if (!first || $2 < first) first = $2
  n++; whose[n] = $3; mark[n] = $2 " " $3; quota[n] = $6; granted[n] = $8
  if (!($3 in known)) { known[$3] = 1; devices++ }
}
$1 == "v" {
  id = $3; left = $4; runs = $5; bytes = $6; per = $7; most = $8; down = $9; up = $10; until = $11
  for (at = split($12, some, ","); at > 0; at--) if (split(some[at], one, "/") == 3) {
    known[one[1]] = 1; devices++; before[one[1]] = one[2]; told[one[1]] = one[3]
  }
}
function since(who, now_counted) {
  if (!(who in told) || !(quota_of[who] in counted)) return 0
  now_counted = counted[quota_of[who]]
  return now_counted >= told[who] ? now_counted - told[who] : now_counted
}
function spent(at) {
  if (mark[at] in final) return final[mark[at]]
  if (quota[at] in counted) return counted[quota[at]]
  return granted[at] == "-" ? 0 : granted[at]
}
END {
  if (id == "" || until <= now) { print "no unavailable"; exit }
  start = runs == 1 ? made : first
  if (start && now > start) left -= now - start
  if (left > until - now) left = until - now
  if (left <= 0) { print "no usedUp"; exit }
  if (bytes != "-") {
    if (per == "d") bytes -= before[mac]
    mine = 0
    for (at = 1; at <= n; at++) if (per == "v" || whose[at] == mac) { bytes -= spent(at); if (whose[at] in told) took[whose[at]] = 1 }
    for (who in told) if ((per == "v" || who == mac) && !(who in took)) bytes -= since(who)
    if (bytes <= 0) { print "no usedUp"; exit }
  }
  if (!(mac in known) && most > 0 && devices >= most) { print "no devicesFull"; exit }
  if (bytes != "-") bytes = sprintf("%.0f", bytes)
  printf "yes %s %.0f %s %s %s\\n", id, left, bytes, down, up
}`

const gone = goneOf({ link: '$link', mac: '$mac', mark: '$mark', minor: '$minor', quota: '$former' })
const goneQuota = gone.slice(-2)
const goneRest = gone.slice(0, -2)

export type Away = {
  folder: string
  /** Before the names of what a restart may lose. */
  scratch: string
  /** Shell that defines \`answers\`: whether the manager's portal at \`$address\` and \`$port\` does. */
  answers: string
  /** The head of an answer of a whole page, as printf takes it. */
  head: string
}

/**
 * Shell between finding out who asks and leading them to the portal; it ends the script where the manager is away. Needs
 * \`ip\`, \`path\`, \`url\`, \`link\`, \`mac\`, \`lan\`, \`idle\`, \`held_down\`, \`held_up\` and \`hash\`. Nothing that a guest sends is ever a
 * word of the shell, of awk's or of nft's: a code has nine known characters when it is looked at.
 */
export const awayText = ({ folder, scratch, answers, head }: Away): string => `state=${folder} scratch=${scratch}
query=; case $path in *\\?*) query=\${path#*\\?} ;; esac
field() { found=; case "&$query" in *"&$1="*) found="&$query"; found=\${found#*"&$1="}; found=\${found%%&*} ;; esac; }
${answers}
away() {
  at=$(date +%s) silent=0
  read -r silent 2>/dev/null <\${scratch}silent
  [ $((at - \${silent:-0})) -ge 5 ] || [ "\${silent:-0}" -gt "$at" ] || return 0
  address=\${url#http://}; address=\${address%%/*}; port=\${address##*]}; port=\${port##*:}
  case $address in *]) port=80 ;; *]:*) address=\${address%:*} ;; *:*) address=\${address%:*} ;; *) port=80 ;; esac
  address=\${address#[}; address=\${address%]}
  ! answers || return 1
  printf '%s\\n' "$at" >\${scratch}silent
}
fill() { case $page in *"@lw-$1@"*) page=\${page%%"@lw-$1@"*}$2\${page#*"@lw-$1@"} ;; esac; }
show() {
  page=$(cat $state/$1.$lan)
  fill code "$typed"
  fill wrong "$(sed -n "s/^$why //p" $state/say.$lan)"
  fill hours "$((\${left:-0} / 3600))"; fill minutes "$((\${left:-0} / 60 % 60))"
  printf "${head}"
  printf '%s\\n' "$page"
  exit 0
}
refuse() { why=$1; show wrong; }
wrong() { printf '%s %s\\n' "$now" "$mac" >>\${scratch}tries; refuse "$1"; }
marked() {
  mark=$(nft get element ${gateTable} mark_of "{ \\"$link\\" . $mac }" 2>/dev/null | sed -n 's/.* : \\(0x[0-9a-f]*\\) }.*/\\1/p')
  [ -z "$mark" ] || former=$(nft get element ${gateTable} use_of "{ $mark }" 2>/dev/null | sed -n 's/.* : "\\(g[0-9a-f]*_[0-9]*\\)" }.*/\\1/p')
}
inside() {
  marked
  [ -n "$mark" ] && nft get element ${gateTable} awake "{ $mark }" >/dev/null 2>&1 || return 1
  nft get element ${gateTable} in "{ \\"$link\\" . $mac }" >/dev/null 2>&1 || return 1
  # Its end was written down; what nft prints of times is made for people.
  left=$(awk -v link="$link" -v mac="$mac" '$1 == "+" && $2 == link && $3 == mac { end = $10 } END { printf "%d", end }' $state/guests)
  left=$((left - $(date +%s)))
  [ $left -gt 0 ]
}
quotas() { nft -j list quotas table ${gateTable} 2>/dev/null | tr '{' '\\n' | sed -n 's/.*"name": *"\\(g[0-9a-f]*_[0-9]*\\)".*"used": *\\([0-9]*\\).*/q \\1 \\2/p'; }
free_mark() {
  tries=0 minor=$(printf %s "$mac" | sha256sum | cut -c 1-8)
  minor=$((0x$minor % ${0xf000 - firstGuest}))
  while [ $tries -lt 50 ]; do
    mark=$((${markBase + firstGuest} + (minor + tries) % ${0xf000 - firstGuest}))
    nft get element ${gateTable} use_of "{ $mark }" >/dev/null 2>&1 || return 0
    tries=$((tries + 1))
  done
  return 1
}
rated() { [ "$2" = - ] && printf - || printf '%s:%s' "$1" "$2"; }
gone() {
  [ -n "$known" ] || return 0
  cat <<GONE
${goneRest.join('\n')}
GONE
  [ -z "$former" ] || cat <<GONE
${goneQuota.join('\n')}
GONE
}
let_in() {
  mark= former=
  marked; known=$mark
  if [ -n "$known" ]; then mark=$((mark)); else free_mark || refuse gateway; fi
  minor=$(printf %x $((mark % 65536)))
  number=\${former##*_}; quota=g\${minor}_$(((\${number:-0} + 1) % 1000000))
  if [ -n "$former" ]; then
    spent=$(quotas | sed -n "s/^q $former //p")
    before=$(awk -v quota="$former" -v mac="$mac" '$1 == "u" && $6 == quota && $3 == mac { at = $2 } END { print at }' $state/used)
    [ -z "$before" ] || [ -z "$spent" ] || printf 'b %s %s %s\\n' "$before" "$mac" "$spent" >>$state/used
  fi
  at=$(awk -v now="$now" -v mac="$mac" 'BEGIN { at = now } $1 == "u" && $3 == mac && $2 >= at { at = $2 + 1 } END { printf "%d", at }' $state/used)
  limit=$bytes; [ "$limit" != - ] || limit=${2 ** 50}
  kept="+ $link $mac $mark $quota $limit $idle $(rated "$held_down" "$down") $(rated "$held_up" "$up") $((now + left))"
  printf 'u %s %s %s %s %s %s %s %s\\n' "$at" "$mac" "$voucher" "$lan" "$quota" "$left" "$bytes" "$ip" >>$state/used || refuse gateway
  printf '%s\\n' "$kept" >>$state/guests || refuse gateway
  { gone; printf '%s\\n' "$kept" | awk -v now="$now" -v again= '${stateProgram}'; } | nft -f - || refuse gateway
  case $kept in *' class:'*) ;; *) return 0 ;; esac
  while read -r word dev rest; do
    case $word in lan) [ "$dev" = "$link" ] || continue; outside= ;; outside) outside=$dev ;; *) continue ;; esac
    ${rootLines('"$dev"', 'continue')}
    printf '%s\\n' "$kept" | awk -v now="$now" -v dev="$dev" -v outside="$outside" '${classProgram}' | tc -force -batch - 2>/dev/null
  done <$lans
}
enter() {
  exec 9>>$state/lock
  flock 9
  now=$(date +%s)
  read -r word word word made <$state/list
  # A clock that was not set yet.
  [ "$now" -ge "$made" ] || now=$made
  set -- $(cat \${scratch}tries 2>/dev/null | awk -v since="$((now - ${guesses.seconds}))" -v mac="$mac" '$1 > since { all++; if ($2 == mac) own++ } END { print own + 0, all + 0 }')
  [ "$1" -lt ${guesses.device} ] && [ "$2" -lt ${guesses.all} ] || refuse locked
  set -- $(grep -m 1 "^p $lan " $state/list)
  [ $# -eq 5 ] || refuse unavailable
  portal_down=$3 portal_up=$4 terms=$5
  set -- $(grep -m 1 "^x $mac " $state/list)
  [ $# -ne 3 ] || { [ "$3" != - ] && [ "$now" -ge "$3" ]; } || refuse blocked
  field terms
  [ "$terms" = 0 ] || [ -n "$found" ] || refuse terms
  [ -n "$code" ] || refuse codeMissing
  [ \${#code} -eq 9 ] && printf '%s\\n' "$code" | awk '${codeProgram}' || wrong mistyped
  read -r network_key own_key <$state/keys
  slow=$(hash "$network_key$code" | awk '{ for (n = 0; n < ${slowLines}; n++) print }' | sha256sum | cut -d ' ' -f 1)
  entry=$(hash "$own_key$(hash "$own_key$slow")")
  set -- $({ grep -m 1 "^v $entry " $state/list; cat $state/used $state/guests; quotas; } | awk -v now="$now" -v made="$made" -v mac="$mac" '${judgeProgram}')
  [ "$1" = yes ] || wrong "$2"
  voucher=$2 left=$3 bytes=$4 down=$5 up=$6
  [ "$down" != - ] || down=$portal_down
  [ "$up" != - ] || up=$portal_up
  let_in
  show online
}
if [ -e $state/entry.$lan ] && [ -e $state/list ] && [ -n "$mac" ] && away; then
  field code
  [ -n "$found" ] || field voucher
  code=$(printf %.100s "$found" | tr a-z A-Z | sed 's/%E2%80%9[0-5]//g; s/%2[0DE]//g; s/%5F//g; s/[-+._]//g' | tr ZSGBU 2568V)
  typed=$code
  case $code in *[!23456789CDFHJKMNPRTVWXY]*) code=0 typed= ;; esac
  field method
  [ -z "$found" ] || enter
  ! inside || show online
  show entry
fi
# Who typed a code here comes to the portal with it.
field code
[ -n "$found" ] || field voucher
case $found in '' | *[!0-9A-Za-z-]*) ;; *) host=192.0.2.1 path="/?voucher=$found" ;; esac
`
