import { DeviceError, type NativeConfig, type Reason } from '../driver'
import { quote } from '../shell'
import type { ExecResult } from '../ssh/ssh'

// A change that undoes itself. Everything that is needed to go back lies on the device before anything changes: copies of
// the files, a script that puts them back, a timer that runs it, and a hook that runs it at the next boot. Whoever
// renames `armed` first decides: to `confirmed` by the manager, to `reverting` by the timer, the boot or the manager.

export const stateFolder = '/etc/lanward'
const folder = `${stateFolder}/undo`
const results = `${stateFolder}/results`

export type UndoPlan = {
  /** Letters, digits and dashes. */
  id: string
  confirmSeconds: number
  /** Nothing of the manager's own is on the device after it: what is kept of its changes goes as well. */
  leaves: boolean
  /** Shell that must succeed before anything is prepared; what it prints on standard error is told. */
  check?: string
  /** Files to be copied before and put back after: every one that the change may touch. */
  files: string[]
  /** New files, laid ready before anything changes, so that a full device is noticed in time. */
  writes: { text: string; mode: string }[]
  /** Shell that makes the change; `$D/new/N` are the new files in order. A status other than 0 puts back at once. */
  apply: string
  /** Shell that makes the system follow the files, after apply and after putting back; `$mode` is now, timer or boot. */
  settle: string
  /** Shell that starts the timer and lays the boot hook, and that removes both. */
  arm: string
  disarm: string
}

/** What was imported is the device's own; all else is ours. */
export const leavesNothing = ({ blocks }: NativeConfig): boolean => blocks.every(block => block.item !== undefined)

/** After its window a device that still holds a change has lost its timer, and did not boot by its hook either. */
const graceSeconds = 30

const status = { full: 4, gone: 5, timer: 6, refused: 7, late: 8, busy: 9 } as const

const head = (id: string) => `LC_ALL=C; export LC_ALL
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
umask 077
ID=${quote(id)} D=${folder} S=${stateFolder}
mine() { [ "$(cat $D/id 2>/dev/null)" = "$ID" ]; }
told() { grep -qx "$ID $1" ${results} 2>/dev/null; }
# The last changes' ends; a device has little room.
tell() { { tail -n 19 ${results} 2>/dev/null; echo "$ID $1"; } >${results}.new && mv -f ${results}.new ${results}; }
`

const functionOf = (name: string, body: string | undefined) => `${name}() {\n:\n${body ?? ''}\n}`

const keepOld = (path: string, at: number) =>
  `if [ -e ${quote(path)} ]; then cp -p ${quote(path)} $D.new/old/${at}; else true >$D.new/old/${at}.none; fi || fail`
const putBack = (path: string, at: number) => `put ${at} ${quote(path)}`

/** The script that the timer, the boot and the manager run: `restore ID MODE`. */
const restoreScript = (plan: UndoPlan) => `#!/bin/sh
# Puts back what a change that was never confirmed had replaced.
${head(plan.id)}
mode=$2
[ "$1" = "$ID" ] && mine || exit 0
# One at a time; who was killed in the middle is taken over from.
L=/var/run/lanward-undo
mkdir $L 2>/dev/null || ! kill -0 "$(cat $L/pid 2>/dev/null)" 2>/dev/null || exit 0
echo $$ >$L/pid
mv $D/armed $D/reverting 2>/dev/null || [ -e $D/reverting ] || { rm -rf $L; exit 0; }
# A copy first, so that power may go at any moment; where there is no room for one the kept file itself goes back.
# Only what was noted as not there is removed: this may run again after it was ended in the middle.
put() {
  if [ -e "$D/old/$1" ]; then
    mkdir -p "\${2%/*}"
    cp -p "$D/old/$1" "$2.lanward" && mv -f "$2.lanward" "$2" && return
    rm -f "$2.lanward"
    mv -f "$D/old/$1" "$2"
  elif [ -e "$D/old/$1.none" ]; then rm -f "$2"; fi
}
${plan.files.map(putBack).join('\n')}
sync
${functionOf('settle', plan.settle)}
settle
tell reverted
${functionOf('disarm', plan.disarm)}
rm -rf $D
rm -rf $L
disarm
exit 0
`

/** A file's exact content, checked by its length: a full device leaves files cut short and says nothing on some shells. */
const write = (path: string, text: string, mode = '600') =>
  `printf '%s' ${quote(text)} >${path} && [ "$(wc -c <${path})" -eq ${Buffer.byteLength(text)} ] && chmod ${mode} ${path} || fail`

/** The script runs whole or not at all: a link that breaks while it is sent leaves a function without an end. */
const whole = (id: string, body: string) => `${head(id)}
main() {
${body}
}
main
exit $?
`

const isOver = `[ "$(cat $D/until 2>/dev/null || echo 0)" -lt "$(date +%s)" ]`

/** Step 1. Copies and new files; nothing of the system is touched. A window that ended and was never closed is closed first. */
export const snapshotScript = (plan: UndoPlan): string =>
  whole(
    plan.id,
    `${functionOf('check', plan.check)}
fail() { rm -rf $D.new; exit ${status.full}; }
if [ -e $D/armed ] || [ -e $D/reverting ]; then
  ${isOver} && sh $D/restore "$(cat $D/id)" now >/dev/null 2>&1
  [ ! -e $D/armed ] && [ ! -e $D/reverting ] || exit ${status.busy}
fi
check || exit ${status.busy}
rm -rf $D.new
mkdir -p $D.new/old $D.new/new || fail
${plan.files.map(keepOld).join('\n')}
${plan.writes.map(({ text, mode }, at) => write(`$D.new/new/${at}`, text, mode)).join('\n')}
${write('$D.new/restore', restoreScript(plan), '700')}
${write('$D.new/id', plan.id)}
rm -rf $D && mv $D.new $D || fail
sync`,
  )

/** Step 2. From here on the device goes back by itself. */
export const armScript = (plan: UndoPlan): string =>
  whole(
    plan.id,
    `mine || exit ${status.gone}
${functionOf('disarm', plan.disarm)}
${functionOf('arm', plan.arm)}
fail() { rm -f $D/armed; disarm; exit ${status.timer}; }
disarm 2>/dev/null
echo $(($(date +%s) + ${Math.ceil(plan.confirmSeconds)} + ${graceSeconds})) >$D/until || fail
arm || fail
true >$D/armed || fail
sync`,
  )

/** Step 3. The change itself. */
export const applyScript = (plan: UndoPlan): string =>
  whole(
    plan.id,
    `mode=now
mine && [ -e $D/armed ] || exit ${status.gone}
${functionOf('change', plan.apply)}
${functionOf('settle', plan.settle)}
change && settle || { sh $D/restore "$ID" now >/dev/null 2>&1; exit ${status.refused}; }`,
  )

/**
 * Ends the window: the change stays. Safe to repeat. `leaves`: nothing of ours is there any more, so nothing of the
 * change is kept either; who asks later finds the device as the change left it.
 */
export const confirmScript = (id: string, disarm: string, leaves = false): string =>
  whole(
    id,
    `${functionOf('disarm', disarm)}
mine && mv $D/armed $D/confirmed 2>/dev/null || { [ -e $D/confirmed ] && mine; } || { told confirmed && exit 0; exit ${status.late}; }
tell confirmed || exit ${status.full}
disarm 2>/dev/null
rm -rf $D${leaves ? `\nrm -f ${results}\nrmdir $S 2>/dev/null` : ''}
sync`,
  )

/** Goes back now. Safe to repeat. */
export const revertScript = (id: string): string =>
  whole(
    id,
    `if mine; then sh $D/restore "$ID" now; fi
# The timer may have been first: then it is waited for.
left=20; while mine && [ $left -gt 0 ]; do sleep 1; left=$((left - 1)); done
told reverted || exit ${status.late}`,
  )

/** A window that ended and was never closed is closed by whoever asks. */
export const stateScript = (id: string): string =>
  whole(
    id,
    `if mine && { [ -e $D/armed ] || [ -e $D/reverting ]; } && ${isOver}; then sh $D/restore "$ID" now >/dev/null 2>&1 </dev/null; fi
if told confirmed || { mine && [ -e $D/confirmed ]; }; then echo confirmed
elif told reverted; then echo reverted
elif mine && { [ -e $D/armed ] || [ -e $D/reverting ]; }; then echo waiting
else echo unknown; fi`,
  )

const meanings: Record<number, [Reason, string]> = {
  [status.full]: ['deviceFull', 'no room for the copies; nothing was changed'],
  [status.gone]: ['commandFailed', 'the prepared change is gone'],
  [status.timer]: ['commandFailed', 'the device could not start its timer; nothing was changed'],
  [status.refused]: ['commandFailed', 'the device refused the change and went back'],
  [status.late]: ['commandFailed', 'the device does not hold this change any more'],
  [status.busy]: ['busy', 'the device is in the middle of another change'],
}

/** Turns a script's status into its reason, none at all into a lost link; what the device printed goes along for the person who looks closer. */
export function judge(result: ExecResult): ExecResult {
  if (result.code === 0) return result
  if (result.code === null) throw new DeviceError('closed', 'the device ended the command in the middle')
  const said = result.stderr.trim().split('\n').slice(-3).join('; ').slice(0, 300)
  const [reason, words] = meanings[result.code] ?? ['commandFailed', `status ${result.code}`]
  const readOnly = /read-only file system/i.test(said)
  throw new DeviceError(readOnly ? 'commandFailed' : reason, said ? `${words}: ${said}` : words)
}
