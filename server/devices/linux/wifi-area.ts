import type { NativeBlock, Warning } from '../driver'
import { quote } from '../shell'
import { parseHostapdStatus } from '../unix/hostapd'
import { type Area, blockPath, follow, named, nameIn } from './area'
import { type LinuxSession, script } from './observe'
import { scheduledBy } from './schedule-script'
import { confPath, nowPath, scheduledPath, unitName, unitPath } from './wifi'

/** Of a radio's configuration, its start, or a network's list of MACs on it (`lanward-RADIO-DOCUMENT.macs`). */
const radioOf = (path: string) =>
  /\/lanward-(?:hostapd-)?([A-Za-z0-9._-]+)\.conf$/.exec(path)?.[1] ??
  /\/lanward-([A-Za-z0-9._-]+)-\w+\.macs$/.exec(path)?.[1] ??
  /\/lanward-([A-Za-z0-9._-]+)\.power$/.exec(path)?.[1] ??
  nameIn(scheduledUnits, path)[0]

const scheduledUnits = named(scheduledPath('*'))

/** Configured BSSs of a hostapd file: its interface and how many networks it names. */
function expected(block: NativeBlock) {
  const values = (key: string) =>
    [...block.text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(match => match[1] ?? '')
  const scheduled = scheduledBy(block.text).length > 0
  return {
    radio: radioOf(block.id) ?? '',
    name: values('interface')[0] ?? '',
    count: values('ssid2').length,
    scheduled,
  }
}

/** By schedule no network of the radio is sent out now: then hostapd does not run for it. */
async function silent(session: LinuxSession, { radio, scheduled, count }: ReturnType<typeof expected>) {
  if (!scheduled) return false
  const { stdout } = await script(session, `grep -c '^start_disabled=1$' ${quote(nowPath(radio))}`, [], 10_000)
  return Number(stdout) === count
}

const settleMs = 12_000

/** hostapd has to say ENABLED and to carry as many networks as planned; it may take a moment to get there. */
async function verify(session: LinuxSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const wanted = blocks.filter(block => /^\/etc\/hostapd\/.*\.conf$/.test(blockPath(block))).map(expected)
  const until = Date.now() + settleMs
  const problems = []
  for (const one of wanted) {
    const { radio, name, count } = one
    for (;;) {
      const ask = `exec hostapd_cli -p /run/hostapd -i ${quote(name)} status`
      const { stdout } = await script(session, ask, [], 10_000)
      const { bss } = parseHostapdStatus(stdout, radio)
      if (bss.length === count ? bss.every(({ up }) => up) : bss.length === 0 && (await silent(session, one))) break
      if (Date.now() > until) {
        // Without a state nothing answers: no hostapd. With one it may still be on its way, as while it listens for radar.
        const said = /^state=(\w+)/m.exec(stdout)?.[1]
        const values = { radio, state: said ?? 'DOWN' }
        problems.push({ code: 'hostapdDown', kind: 'ssid', values, stopped: said === undefined })
        break
      }
      await new Promise(wake => setTimeout(wake, 500))
    }
  }
  return problems
}

/** hostapd's files: one configuration and one start a radio, and the unit they share. */
export const wifiArea: Area = {
  files: [
    { path: /^\/etc\/hostapd\/lanward-[A-Za-z0-9._-]+\.conf$/, glob: '/etc/hostapd/lanward-*.conf', mode: '600' },
    { path: /^\/etc\/hostapd\/lanward-[A-Za-z0-9._-]+\.macs$/, glob: '/etc/hostapd/lanward-*.macs', mode: '600' },
    { path: /^\/etc\/hostapd\/lanward-[A-Za-z0-9._-]+\.power$/, glob: '/etc/hostapd/lanward-*.power', mode: '600' },
    { path: /^\/etc\/systemd\/system\/lanward-hostapd@\.service$/, glob: unitPath, mode: '644' },
    {
      path: /^\/etc\/systemd\/system\/multi-user\.target\.d\/lanward-hostapd-[A-Za-z0-9._-]+\.conf$/,
      glob: '/etc/systemd/system/multi-user.target.d/lanward-hostapd-*.conf',
      mode: '644',
    },
    scheduledUnits,
  ],
  secret:
    /^(wpa_passphrase=|wpa_psk=|sae_password=|wep_key0=|auth_server_shared_secret=|acct_server_shared_secret=|r0kh=|r1kh=)(.*)$/gm,
  settle: (changed, all) =>
    [...new Set((changed.includes(unitPath) ? all : changed).flatMap(path => radioOf(path) ?? []))].map(radio =>
      follow(confPath(radio), unitName(radio)),
    ),
  verify,
}
