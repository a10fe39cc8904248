import { DeviceError, type Driver, type Fingerprint, type Target } from '../driver'
import { connectSsh } from '../ssh/ssh'
import { json } from '../unix/text'
import { actions } from './actions'
import { clockRenderer } from './clock'
import { blockedRenderer } from './firewall/blocked'
import { firewallRenderer } from './firewall/firewall'
import { gateRenderer } from './firewall/gate'
import { ssidRatesRenderer } from './firewall/ssid-rates'
import { wirelessRulesRenderer } from './firewall/wireless-rules'
import { internetRenderer } from './internet/internet'
import { lanRenderer } from './lan/lan'
import { facts, observe } from './observe/observe'
import { limitsRenderer } from './ports/limits'
import { portsRenderer } from './ports/ports'
import { confirm, equal, push, read, revert, state, verify } from './push'
import { systemRenderer } from './system/system'
import { trafficRenderer } from './system/traffic-logs'
import type { OpenwrtSession } from './uci/session'
import { ownership } from './unmanaged'
import { bareVlansRenderer } from './wifi/bare-vlans'
import { meshRenderer } from './wifi/mesh'
import { tellNeighbors } from './wifi/neighbor-reports'
import { radioRenderer } from './wifi/radio'
import { steeringRenderer } from './wifi/steering'
import { wifiRenderer } from './wifi/wifi'

const names = /openwrt|lede/i

/** A system that calls itself OpenWrt; before the login dropbear is a hint, no more. */
function match({ system, sshBanner }: Fingerprint): number {
  if (system) return names.test(`${system.ID ?? ''} ${system.ID_LIKE ?? ''} ${system.DISTRIB_ID ?? ''}`) ? 20 : 0
  return /dropbear/i.test(sshBanner ?? '') ? 1 : 0
}

/**
 * Logs in; `unsupported` where ubus does not answer. The answer is JSON: where it is more than that, the shell of
 * the account (bash with a `.bashrc`) prints lines of its own before each.
 */
async function connect(target: Target, signal: AbortSignal): Promise<OpenwrtSession> {
  const ssh = await connectSsh(target, signal)
  try {
    const limits = { signal, timeoutMs: 10_000, maxBytes: 256 * 1024 }
    const { code, stdout } = await ssh.exec('ubus call system board', limits)
    if (code !== 0) throw new DeviceError('unsupported', 'ubus does not answer')
    if (json(stdout) === undefined) ssh.skipGreeting()
    return { ssh }
  } catch (error) {
    ssh.close()
    throw error
  }
}

export const openwrtDriver: Driver<OpenwrtSession> = {
  id: 'openwrt',
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
    bareVlansRenderer,
    wifiRenderer,
    meshRenderer,
    steeringRenderer,
    radioRenderer,
    firewallRenderer,
    clockRenderer,
    blockedRenderer,
    limitsRenderer,
    ssidRatesRenderer,
    wirelessRulesRenderer,
    systemRenderer,
    trafficRenderer,
  ],
  read,
  ownership,
  equal,
  push,
  confirm,
  revert,
  state,
  selfCheck: verify,
  actions,
  tellNeighbors,
  reverts: 'device',
}
