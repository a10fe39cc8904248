import { DeviceError, isDeviceError } from '../../driver'
import { command } from '../../shell'
import type { ExecOptions, SshSession } from '../../ssh/ssh'
import { json, lines, record } from '../../unix/text'

/** A system on which something answered; undefined means it did not, for the reason kept in `problems`. */
export type Reader = {
  ubus(object: string, method: string, argument?: Record<string, unknown>): Promise<Record<string, unknown> | undefined>
  /** Standard output of one program, undefined when it is missing (127) or fails. */
  run(...words: string[]): Promise<string | undefined>
  objects: ReadonlySet<string>
  /** Names what failed although the device offers it. */
  failed: Set<string>
}

const limits: ExecOptions = { timeoutMs: 20_000, maxBytes: 4 * 1024 * 1024 }

/** UBUS_STATUS_NOT_FOUND and NO_DATA: the object went away or has nothing to say. Some builds of the tool negate them. */
const nothing = new Set([4, 5, 252, 251])

const lost = (error: unknown) =>
  !isDeviceError(error) || ['closed', 'timeout', 'tooLarge', 'cancelled', 'internal'].includes(error.reason)

/**
 * One command an exec channel: plain commands with quoted words, since a device may have little more than busybox.
 * Only the loss of the device rejects.
 */
export async function openReader(ssh: SshSession): Promise<Reader> {
  const failed = new Set<string>()
  const exec = async (words: string[]) => {
    try {
      return await ssh.exec(command(...words), limits)
    } catch (error) {
      if (lost(error)) throw error
      return { code: 1, stdout: '', stderr: '' }
    }
  }
  const listed = await ssh.exec('ubus list', limits)
  const objects = new Set(lines(listed.stdout).map(line => line.trim()))
  if (listed.code !== 0 || objects.size === 0) throw new DeviceError('unsupported', 'ubus does not answer')
  return {
    objects,
    failed,
    async run(...words) {
      const { code, stdout } = await exec(words)
      return code === 0 ? stdout : undefined
    },
    async ubus(object, method, argument) {
      if (!objects.has(object)) return undefined
      const { code, stdout } = await exec([
        'ubus',
        'call',
        object,
        method,
        ...(argument ? [JSON.stringify(argument)] : []),
      ])
      const answer = json(stdout)
      if (code === 0 && answer !== undefined) return record(answer)
      if (!nothing.has(code ?? -1)) failed.add(`${object} ${method}`)
      return undefined
    },
  }
}
