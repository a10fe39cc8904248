import { DeviceError, type Driver, type Fingerprint, type Target } from '../driver'
import { connectSsh } from '../ssh/ssh'
import { answerOf } from '../unix/answer'
import { actions } from './actions'
import { shapingRenderer } from './area/shaping'
import { blockedRenderer } from './firewall/blocked'
import { firewallRenderer } from './firewall/firewall'
import { gateRenderer } from './firewall/gate'
import { scheduleRenderer } from './firewall/schedule'
import { wifiClientsRenderer } from './firewall/wifi-clients'
import { wifiShapingRenderer } from './firewall/wifi-shaping'
import { wirelessRenderer } from './firewall/wireless-rules'
import { internetRenderer } from './internet/internet'
import { lanRenderer } from './lan/lan'
import { facts, type LinuxSession, observe } from './observe/observe'
import { ownership } from './ownership/ownership'
import { portsRenderer } from './ports/ports'
import { confirm, push, read, revert, state, verify } from './push'
import { systemRenderer } from './system/system'
import { trafficRenderer } from './system/traffic-logs'
import { meshRenderer } from './wifi/mesh'
import { tellNeighbors } from './wifi/neighbor-reports'
import { steeringRenderer } from './wifi/steering'
import { wifiRenderer } from './wifi/wifi'

const families = /\b(debian|ubuntu|raspbian)\b/i

/** A system that says it is Linux and not OpenWrt; before the login the banner of Debian's sshd is a hint. */
function match({ system, sshBanner }: Fingerprint): number {
  if (system) {
    if (/openwrt|lede/i.test(`${system.ID ?? ''} ${system.ID_LIKE ?? ''} ${system.DISTRIB_ID ?? ''}`)) return 0
    return system.kernel === 'Linux' ? 10 : 0
  }
  return families.test(sshBanner ?? '') ? 2 : 0
}

/** Logs in and finds out whether the account is root or may become it without being asked (sudo -n). */
async function connect(target: Target, signal: AbortSignal): Promise<LinuxSession> {
  const ssh = await connectSsh(target, signal)
  try {
    const { code, stdout } = await answerOf(ssh, 'id -u', { signal, timeoutMs: 10_000, maxBytes: 64 * 1024 })
    if (code !== 0) throw new DeviceError('unsupported', 'the account has no Unix shell')
    if (stdout.trim() === '0') return { ssh, become: '' }
    const sudo = await ssh.exec('sudo -n true', { signal, timeoutMs: 10_000, maxBytes: 64 * 1024 })
    return { ssh, become: sudo.code === 0 ? 'sudo -n ' : '' }
  } catch (error) {
    ssh.close()
    throw error
  }
}

export const linuxDriver: Driver<LinuxSession> = {
  id: 'linux',
  protocol: 'ssh',
  match,
  connect,
  close: session => session.ssh.close(),
  ping: session => session.ssh.mustLive(),
  facts,
  observe,
  renderers: [
    lanRenderer,
    gateRenderer,
    portsRenderer,
    internetRenderer,
    wifiRenderer,
    meshRenderer,
    steeringRenderer,
    firewallRenderer,
    wirelessRenderer,
    blockedRenderer,
    shapingRenderer,
    wifiShapingRenderer,
    wifiClientsRenderer,
    systemRenderer,
    trafficRenderer,
    scheduleRenderer,
  ],
  read,
  ownership,
  equal: (planned, seen) => planned.text === seen.text,
  push,
  confirm,
  revert,
  state,
  selfCheck: verify,
  actions,
  tellNeighbors,
  reverts: 'device',
}
