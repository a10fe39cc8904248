// Keyboards have lights of their own, and those of memory cards say that they must not be pulled out.
const others = ['*kbd*', '*capslock*', '*numlock*', '*scrolllock*', 'mmc*', 'input*']
const other = /kbd|capslock|numlock|scrolllock|^(?:mmc|input)/

/** Whether a name in /sys/class/leds is one of the device's own lights. */
export const isLight = (name: string): boolean => /^[A-Za-z0-9:_.+-]{1,64}$/.test(name) && !other.test(name)

const eachLight = (act: string) => `for led in /sys/class/leds/*; do
  [ -w "$led/trigger" ] && [ -w "$led/brightness" ] || continue
  case \${led##*/} in ${others.join('|')}) continue ;; esac
  ${act}
done`
/** What the kernel has a light do now: the word in brackets. */
const triggerOf = (led: string) => `sed 's/.*\\[\\(.*\\)\\].*/\\1/' "${led}/trigger"`

/** Until when a light blinks, and the last second it did, both counted from the start; gone with a boot, as the blinking is. */
const until = '/run/lanward/locate.until'
const beat = '/run/lanward/locate.beat'

/**
 * Blinks one LED and gives it back after `seconds`, by the device itself: nobody has to come back to stop it. Asked
 * again meanwhile it goes on for `seconds` from then; 0 ends it. By the kernel's timer trigger where it has one, else by
 * hand once a second. Status 3 where there is no LED that can be set.
 */
export const blinkScript = (seconds: number): string => `
left=${Math.min(Math.max(Math.round(seconds), 0), 600)}
[ "$left" != 0 ] || { rm -f ${until}; exit 0; }
chosen=
${eachLight(`[ -n "$chosen" ] || chosen=$led
  case \${led##*/} in *status*|*power*|*run*|*system*) chosen=$led; break ;; esac`)}
[ -n "$chosen" ] || exit 3
# Not the clock: that may be set meanwhile.
now() { read -r up rest </proc/uptime; up=\${up%%.*}; }
last=-9
now; mkdir -p /run/lanward && echo $((up + left)) >${until} || exit 1
! read -r last 2>/dev/null <${beat} || [ $((up - last)) -gt 3 ] || exit 0
was=$(${triggerOf('$chosen')}); bright=$(cat "$chosen/brightness"); lit=0
blink() {
  if grep -q timer "$chosen/trigger" && echo timer >"$chosen/trigger"; then
    echo 100 >"$chosen/delay_on"; echo 100 >"$chosen/delay_off"; lit=
  else
    echo none >"$chosen/trigger"
  fi
  while now; read -r end 2>/dev/null <${until} && [ "$up" -lt "$end" ]; do
    echo "$up" >${beat}
    [ -z "$lit" ] || { lit=$((1 - lit)); echo $lit >"$chosen/brightness"; }
    sleep 1
  done
  rm -f ${beat} ${until}
  echo "$was" >"$chosen/trigger"
  [ "$was" != none ] || echo "$bright" >"$chosen/brightness"
}
# A shell of its own: a redirected function would keep the answer's pipe, and with it the connection, until it ends.
(blink) </dev/null >/dev/null 2>&1 &
exit 0
`

/** What each light did before; gone with a boot, as what it did is. */
const kept = '/run/lanward/leds'
// What a trigger has besides: of timer, then of netdev.
const details = 'delay_on delay_off device_name link tx rx interval'

/** Switches every light off, and keeps what it did. */
export const darkScript = `mkdir -p ${kept} || exit 1
${eachLight(`now=${kept}/\${led##*/}
  if [ ! -d "$now" ]; then
    rm -rf "$now.new" && mkdir "$now.new" || exit 1
    ${triggerOf('$led')} >"$now.new/trigger"
    for f in brightness ${details}; do [ ! -r "$led/$f" ] || cat "$led/$f" >"$now.new/$f"; done
    mv "$now.new" "$now" || exit 1
  fi
  echo none >"$led/trigger" && echo 0 >"$led/brightness" || exit 1`)}
`

/** Every light does again what it did. */
export const lightScript = `for now in ${kept}/*; do
  led=/sys/class/leds/\${now##*/}
  [ -r "$now/trigger" ] && [ -w "$led/trigger" ] || continue
  cat "$now/trigger" >"$led/trigger"
  for f in ${details}; do [ ! -r "$now/$f" ] || [ ! -w "$led/$f" ] || cat "$now/$f" >"$led/$f"; done
  [ "$(cat "$now/trigger")" != none ] || cat "$now/brightness" >"$led/brightness"
done
rm -rf ${kept}`
