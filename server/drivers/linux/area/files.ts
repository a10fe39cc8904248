import { DeviceError } from '../../driver'
import { command, quote } from '../../shell'
import { newMark, parseParts } from '../../unix/parts'
import { type LinuxSession, script } from '../observe/observe'
import type { File } from '../unmanaged/system'

/** Somebody else's file as it was read: its rights, and a sum by which a later change of it is noticed. */
export type KnownFile = File & { mode: string; sum: string }

const most = 65_536

// A link is left alone: what it leads to belongs to something else.
const readScript = `mark=$1; shift
for f; do
  [ -f "$f" ] && [ ! -L "$f" ] && [ "$(wc -c <"$f")" -le ${most} ] || continue
  printf '\\n%s %s\\n' "$mark" "$f"; cat "$f"
  printf '\\n%s stat%s\\n' "$mark" "$f"; stat -c %a "$f"; cksum <"$f"
done
printf '\\n%s end\\n' "$mark"`

export async function readFiles(session: LinuxSession, paths: readonly string[]): Promise<KnownFile[]> {
  const wanted = [...new Set(paths.filter(path => path !== ''))]
  if (wanted.length === 0) return []
  const mark = newMark()
  const parts = parseParts(await script(session, readScript, [mark, ...wanted], 30_000), mark)
  return wanted.flatMap(path => {
    const text = parts.text(path)
    const [mode = '', sum = ''] = parts.text(`stat${path}`)?.trim().split('\n') ?? []
    // What is no text would not be written back as it was.
    if (text === undefined || /[\0\uFFFD]/.test(text)) return []
    if (!/^[0-7]{3,4}$/.test(mode) || !/^\d+ \d+$/.test(sum)) throw new DeviceError('malformed', `no rights of ${path}`)
    return [{ path, text, mode, sum }]
  })
}

/** Fails where one of them is not as it was read. */
export const checkFiles = (files: readonly KnownFile[]): string =>
  files
    .map(
      ({ path, sum }) =>
        `[ "$(cksum <${quote(path)})" = ${quote(sum)} ] || { ${command('echo', `${path} was changed meanwhile`)} >&2; return 1; }`,
    )
    .join('\n')
