import { DeviceError, type Driver, type Fingerprint, type Target } from '../driver'
import { connectSsh } from '../ssh/ssh'
import { actions } from './actions'
import { bareVlansRenderer } from './bare-vlans'
import { blockedRenderer } from './blocked'
import { clockRenderer } from './clock'
import { firewallRenderer } from './firewall'
import { gateRenderer } from './gate'
import { internetRenderer } from './internet'
import { lanRenderer } from './lan'
import { limitsRenderer } from './limits'
import { meshRenderer } from './mesh'
import { tellNeighbors } from './neighbor-reports'
import { facts, observe } from './observe'
import { portsRenderer } from './ports'
import { confirm, equal, push, read, revert, state, verify } from './push'
import { radioRenderer } from './radio'
import type { OpenwrtSession } from './session'
import { ssidRatesRenderer } from './ssid-rates'
import { steeringRenderer } from './steering'
import { systemRenderer } from './system'
import { ownership } from './unmanaged'
import { wifiRenderer } from './wifi'
import { wirelessRulesRenderer } from './wireless-rules'

const names = /openwrt|lede/i

/** A system that calls itself OpenWrt; before the login dropbear is a hint, no more. */
function match({ system, sshBanner }: Fingerprint): number {
  if (system) return names.test(`${system.ID ?? ''} ${system.ID_LIKE ?? ''} ${system.DISTRIB_ID ?? ''}`) ? 20 : 0
  return /dropbear/i.test(sshBanner ?? '') ? 1 : 0
}

/** Logs in; `unsupported` where ubus does not answer. */
async function connect(target: Target, signal: AbortSignal): Promise<OpenwrtSession> {
  const ssh = await connectSsh(target, signal)
  try {
    const { code } = await ssh.exec('ubus call system board', { signal, timeoutMs: 10_000, maxBytes: 256 * 1024 })
    if (code !== 0) throw new DeviceError('unsupported', 'ubus does not answer')
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
