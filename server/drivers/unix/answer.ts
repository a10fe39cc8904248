import type { ExecOptions, ExecResult, SshSession } from '../ssh/ssh'
import { newMark } from './parts'

/**
 * What a line prints itself, without what the account's shell prints as it starts. `code` is null, as of a command without
 * an end, where no shell ran the line.
 */
export async function answerOf(session: SshSession, line: string, options: ExecOptions): Promise<ExecResult> {
  const mark = newMark()
  const said = await session.exec(`echo ${mark}; ${line}`, options)
  const at = said.stdout.indexOf(`${mark}\n`)
  return at < 0 ? { ...said, code: null, stdout: '' } : { ...said, stdout: said.stdout.slice(at + mark.length + 1) }
}
