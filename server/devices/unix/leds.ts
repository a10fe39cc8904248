/**
 * Blinks one LED and gives it back after `seconds`, by the device itself: nobody has to come back to stop it. By the
 * kernel's timer trigger where it has one, else by hand once a second. Status 3 where there is no LED that can be set.
 */
export const blinkScript = (seconds: number): string => `
chosen=
for led in /sys/class/leds/*; do
  [ -w "$led/trigger" ] && [ -w "$led/brightness" ] || continue
  case \${led##*/} in *kbd*|*capslock*|*numlock*|*scrolllock*|mmc*|input*) continue ;; esac
  [ -n "$chosen" ] || chosen=$led
  case \${led##*/} in *status*|*power*|*run*|*system*) chosen=$led; break ;; esac
done
[ -n "$chosen" ] || exit 3
left=${Math.min(Math.max(Math.round(seconds), 1), 600)}
was=$(sed 's/.*\\[\\(.*\\)\\].*/\\1/' "$chosen/trigger"); bright=$(cat "$chosen/brightness")
blink() {
  if grep -q timer "$chosen/trigger" && echo timer >"$chosen/trigger"; then
    echo 100 >"$chosen/delay_on"; echo 100 >"$chosen/delay_off"; sleep "$left"
  else
    echo none >"$chosen/trigger"
    while [ "$left" -gt 0 ]; do echo $((left % 2)) >"$chosen/brightness"; sleep 1; left=$((left - 1)); done
  fi
  echo "$was" >"$chosen/trigger"
  [ "$was" != none ] || echo "$bright" >"$chosen/brightness"
}
# A shell of its own: a redirected function would keep the answer's pipe, and with it the connection, until it ends.
(blink) </dev/null >/dev/null 2>&1 &
exit 0
`
