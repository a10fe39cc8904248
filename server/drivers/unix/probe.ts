import type { SshSession } from '../ssh/ssh'
import { answerOf } from './answer'
import { parseOsRelease } from './os-release'

const limits = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

/**
 * What an SSH system is, for `Fingerprint.system`: the keys of /etc/openwrt_release (DISTRIB_ID …) and of /etc/os-release
 * (ID, VERSION_ID …), and `kernel` as `uname -s` says. Empty when it is no Unix.
 */
export async function probeSystem(session: SshSession): Promise<Record<string, string>> {
  const read = async (line: string) => {
    const { code, stdout } = await session.exec(line, limits)
    return code === 0 ? stdout : ''
  }
  const openwrt = parseOsRelease(await read('cat /etc/openwrt_release'))
  const system = parseOsRelease(await read('cat /etc/os-release'))
  const { stdout } = await answerOf(session, 'uname -s', limits)
  const kernel = stdout.trim().slice(0, 32)
  return { ...system, ...openwrt, ...(kernel && { kernel }) }
}
