import { DeviceError, type NativeBlock } from '../../driver'
import type { KeyList, KeyState, VoucherKey } from '../../keys'
import { quote } from '../../shell'
import { newMark, parseParts } from '../../unix/parts'
import type { Ssid } from '../../unix/ssid'
import { clean, lines, mac, number } from '../../unix/text'
import { type Area, exactly, fileBlock, named } from '../area/area'
import { startPath, unitPath, wantsText } from '../base/oneshot'
import { type LinuxSession, script } from '../observe/observe'

// Vouchers that are keys: hostapd reads them from a file that a script of ours keeps, so that each ends by the device's own
// clock, whether the manager runs or not.
//
// list:    lanward 1 DIGEST
//          v SSID VOUCHER PSK SECONDS END MOST DOWN UP ONLY
// used:    u AT VOUCHER MAC
// present: s MAC VOUCHER CONNECTED
//
// SSID is as files are named by it; `-` is none or no limit; ONLY are MAC addresses, by commas.

export const keysFolder = '/var/lib/lanward-keys'
const folder = keysFolder
export const keysScriptPath = '/etc/lanward/voucher-keys.sh'
const name = 'lanward-voucher-keys'
const bssUnit = (radio: string) => `/etc/systemd/system/lanward-hostapd@${radio}.service.d/voucher-keys.conf`

const fileName = (document: string) => document.replace(/[^A-Za-z0-9]/g, '_')
/** What hostapd reads in place of the network's own file of keys: that and the vouchers. */
export const mergedKeysPath = (radio: string, document: string) => `${folder}/${radio}-${fileName(document)}.psk`

/** The manager looks every ten seconds; what it says of other access points holds so long after it was there. */
const freshSeconds = 60

// One list after the other: first uses, the list, who is in. Who joined first keeps the place.
export const judge = `
FILENAME ~ /used$/ { if ($1 == "u" && !($3 in first)) first[$3] = $2; next }
$1 == "v" {
  k = $2 " " $3; keys[++n] = k; psk[k] = $4; left[k] = $5; end[k] = $6; most[k] = $7; down[k] = $8; up[k] = $9; only[k] = fresh ? $10 : "-"
  if (left[k] != "-" && ($3 in first) && first[$3] + left[k] < end[k]) end[k] = first[$3] + left[k]
  next
}
$1 == "s" { m++; bss[m] = $2; of[m] = $3 " " $5; mac[m] = $4; who[m] = $5; age[m] = $6; net[m] = $3 }
END {
  for (i = 1; i <= m; i++) order[i] = i
  for (i = 2; i <= m; i++) { x = order[i]; for (j = i - 1; j >= 1 && age[order[j]] < age[x]; j--) order[j + 1] = order[j]; order[j + 1] = x }
  for (i = 1; i <= m; i++) {
    s = order[i]; k = of[s]
    ok = (k in end) && end[k] > now && (only[k] == "-" || index("," only[k] ",", "," mac[s] ","))
    if (ok && most[k] > 0 && !((k " " mac[s]) in in_it) && count[k] >= most[k]) ok = 0
    if (!ok) { print "kick " bss[s] " " mac[s]; continue }
    if (!((k " " mac[s]) in in_it)) { in_it[k " " mac[s]] = 1; count[k]++; there[k] = there[k] " " mac[s] }
    print "present s " mac[s] " " who[s] " " age[s]
    if (left[k] != "-" && !(who[s] in first)) { first[who[s]] = now; print "used u " now " " who[s] " " mac[s] }
    if (down[k] != "-") print "rate down " mac[s] " " down[k]
    if (up[k] != "-") print "rate up " mac[s] " " up[k]
  }
  for (i = 1; i <= n; i++) {
    k = keys[i]; split(k, part, " ")
    if (end[k] <= now) continue
    macs = only[k] != "-" ? only[k] : most[k] > 0 && count[k] >= most[k] ? there[k] : "00:00:00:00:00:00"
    c = split(macs, one, /[ ,]+/)
    for (j = 1; j <= c; j++) if (one[j] != "") print "key " part[1] " keyid=v" part[2] " " one[j] " " psk[k]
  }
}`

const stations = `/^[0-9a-f:]+$/ { if (key != "") print "s", bss, net, sta, key, age; sta = $0; key = ""; age = 0 }
/^keyid=v[0-9]+$/ { key = substr($0, 8) }
/^connected_time=[0-9]+$/ { age = substr($0, 16) }
END { if (key != "") print "s", bss, net, sta, key, age }`

const text = `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
# Vouchers that are keys of Wi-Fi networks: which hold now, and who is in by them.
LC_ALL=C; export LC_ALL
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
umask 077
state=${folder}
mkdir -p $state && cd $state || exit 1
touch list used present
# FILE BSS of each network with such keys.
networks() {
  for conf in /etc/hostapd/lanward-*.conf; do
    [ -e "$conf" ] || continue
    while IFS== read -r key value; do
      case $key in
        interface | bss) of=$value ;;
        wpa_psk_file) case $value in $state/*) echo "\${value#$state/} $of" ;; esac ;;
      esac
    done <"$conf"
  done
}
tell() { hostapd_cli -p /run/hostapd -i "$@" </dev/null 2>/dev/null; }
look() {
  exec 9>>lock
  flock 9
  all=$(networks) now=$(date +%s) fresh=
  [ -z "$(find seen -newermt '-${freshSeconds} seconds' 2>/dev/null)" ] || fresh=1
  printf '%s\\n' "$all" | while read -r file bss; do
    [ -n "$bss" ] || continue
    net=\${file##*-}; tell "$bss" all_sta | awk -v bss="$bss" -v net="\${net%.psk}" '${stations}'
  done >stations
  awk -v now="$now" -v fresh="$fresh" '${judge}' used list stations >judged || return 1
  sed -n 's/^used //p' judged >>used
  sed -n 's/^present //p' judged >present
  printf '%s\\n' "$all" | while read -r file bss; do
    [ -n "$bss" ] || continue
    net=\${file##*-}; net=\${net%.psk}
    { cat "/etc/hostapd/lanward-$file" 2>/dev/null; awk -v net="$net" '$1 == "key" && $2 == net { print $3, $4, $5 }' judged; } >new
    cmp -s new "$file" || { cp new "$file" && tell "$bss" reload_wpa_psk >/dev/null; }
  done
  sed -n 's/^kick //p' judged | while read -r bss mac; do tell "$bss" deauthenticate "$mac" >/dev/null; done
  rates
  exec 9>&-
}
rates() {
  sed -n 's/^rate //p' judged | sort >rates.new
  ! cmp -s rates.new rates 2>/dev/null || return 0
  command -v nft >/dev/null || return 0
  {
    echo 'add table bridge lanward_voucher_keys'
    echo 'delete table bridge lanward_voucher_keys'
    [ -s rates.new ] && {
      echo 'table bridge lanward_voucher_keys {'
      echo '  chain forward {'
      echo '    type filter hook forward priority -10; policy accept;'
      awk '{ printf "    ether %s %s limit rate over %d bytes/second burst %d bytes drop\\n", $1 == "down" ? "daddr" : "saddr", $2, $3 * 125, $3 * 12.5 + 32000 }' rates.new
      echo '  }'
      echo '}'
    }
  } | nft -f - && mv rates.new rates
}
case $1 in
  run) while :; do look; sleep 1; done ;;
  *) look ;;
esac
`

const unit = `[Unit]
Description=Vouchers that are keys of Wi-Fi networks, as set in Lanward
After=network.target
ConditionPathExists=${keysScriptPath}
StartLimitIntervalSec=0

[Service]
ExecStart=/bin/sh ${keysScriptPath} run
Restart=always
RestartSec=2
`
const before = `[Service]\nExecStartPre=-/bin/sh ${keysScriptPath}\n`

export const withVoucherKeys = (one: Ssid): boolean => one.security === 'ppsk' && one.vouchers

/** What a device needs whose radios these are; none where no network takes vouchers as keys. */
export function voucherKeyBlocks(radios: readonly string[]): NativeBlock[] {
  if (radios.length === 0) return []
  const about = { kind: 'ssid' }
  return [
    fileBlock(keysScriptPath, text, about),
    fileBlock(unitPath(name), unit, about),
    fileBlock(startPath(name), wantsText(name), about),
    ...radios.map(radio => fileBlock(bssUnit(radio), before, about)),
  ]
}

/** Before the radios, which read what the script makes. */
export const voucherKeysArea: Area = {
  files: [exactly(keysScriptPath), exactly(unitPath(name)), exactly(startPath(name)), named(bssUnit('*'))],
  settle: () => [
    `if [ -e ${keysScriptPath} ]; then
serve restart ${name}.service || return 1
else
serve stop ${name}.service 2>/dev/null
nft delete table bridge lanward_voucher_keys 2>/dev/null
rm -rf ${folder}
fi
:`,
  ],
}

const rate = (kbps: number | undefined) => (kbps === undefined ? '-' : kbps)
/** A key in the list. */
export const keyLine = ({ ssid, voucher, psk, seconds, end, most, down, up, only }: VoucherKey): string =>
  [
    ...['v', fileName(ssid), voucher, psk, seconds ?? '-', end, most, rate(down), rate(up)],
    only === undefined || only.length === 0 ? '-' : only.join(','),
  ].join(' ')

/** Everything at once; what is over by it is over now. */
async function put(session: LinuxSession, { digest, keys, merged }: KeyList): Promise<void> {
  const gone = merged.map(({ at, voucher }) => `${at} ${voucher}\n`).join('')
  const { code, stderr } = await script(
    session,
    `[ -e ${keysScriptPath} ] || exit 3
umask 077
mkdir -p ${folder} && cd ${folder} || exit 1
exec 9>>lock
flock 9
printf %s ${quote([`lanward 1 ${digest}`, ...keys.map(keyLine), ''].join('\n'))} >list.new && mv -f list.new list || exit 1
${
  gone === ''
    ? ''
    : `touch used; printf %s ${quote(gone)} | awk 'NR == FNR { gone[$0] = 1; next } !(($2 " " $3) in gone)' - used >used.new && mv -f used.new used || exit 1`
}
touch seen
exec 9>&-
exec sh ${keysScriptPath}`,
    [],
    50_000,
  )
  if (code === 3) throw new DeviceError('unsupported', 'takes no vouchers as keys')
  if (code !== 0) throw new DeviceError('commandFailed', clean(stderr) ?? `status ${code}`)
}

const most = 5000
const readText = `mark=$1
part() { printf '\\n%s %s\\n' "$mark" "$1"; }
[ -e ${keysScriptPath} ] || exit 3
mkdir -p ${folder} && cd ${folder} || exit 1
touch seen
part list; sed -n 1p list 2>/dev/null
part used; tail -c 400000 used 2>/dev/null
part present; head -c 400000 present 2>/dev/null
part end`

const count = (said: string | undefined, least = 0) =>
  said !== undefined && /^\d+$/.test(said) ? number(said, least, 1e11) : undefined

async function read(session: LinuxSession): Promise<KeyState> {
  const mark = newMark()
  const said = await script(session, readText, [mark], 30_000)
  if (said.code === 3) throw new DeviceError('unsupported', 'takes no vouchers as keys')
  const parts = parseParts(said, mark)
  const rows = (part: string) =>
    lines(parts.text(part))
      .slice(-most)
      .map(one => one.split(' '))
  const digest = /^lanward 1 ([0-9a-f]{64})$/.exec((parts.text('list') ?? '').trim())?.[1]
  return {
    ...(digest && { digest }),
    uses: rows('used').flatMap(([word, at, of, who]) => {
      const [when, voucher, its] = [count(at, 1), count(of, 1), mac(who)]
      return word === 'u' && when && voucher && its ? [{ at: when, voucher, mac: its }] : []
    }),
    present: rows('present').flatMap(([word, who, of, age]) => {
      const [voucher, its, seconds] = [count(of, 1), mac(who), count(age)]
      return word === 's' && voucher && its && seconds !== undefined ? [{ mac: its, voucher, seconds }] : []
    }),
  }
}

async function revoke(session: LinuxSession, vouchers: readonly number[]): Promise<void> {
  const gone = vouchers.map(one => `${Math.trunc(one)}\n`).join('')
  const { code, stderr } = await script(
    session,
    `[ -e ${keysScriptPath} ] || exit 0
umask 077
cd ${folder} || exit 0
exec 9>>lock
flock 9
printf %s ${quote(gone)} | awk 'NR == FNR { gone[$1] = 1; next } !($1 == "v" && ($3 in gone))' - list >list.new && mv -f list.new list || exit 1
exec 9>&-
exec sh ${keysScriptPath}`,
    [],
    20_000,
  )
  if (code !== 0) throw new DeviceError('commandFailed', clean(stderr) ?? `status ${code}`)
}

export const keyActions = { read, put, void: revoke }
