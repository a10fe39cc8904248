import { createHash } from 'node:crypto'
import { zoneNames } from '@/model/places'
import type { SystemFields } from '@/model/system/system'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import { darkScript } from '../../unix/leds'
import { marked } from '../../unix/secret'
import { shaCrypt } from '../../unix/sha-crypt'
import { type SystemPart, systemSettings, wantedParts } from '../../unix/system'
import type { Need } from '../../words'
import { fileBlock } from '../area/area'
import { ownText, startBlock } from '../area/drop-in'
import { scriptUnit, unitPath } from '../base/oneshot'
import { lacksZone } from '../base/zones'
import { systemProposals } from '../unmanaged/proposals'
import { agentOff, agentOn, agentPath, agentStart, agentText, agentUnit } from './snmp-agent'
import { syslogBlocks } from './syslog'

const kind = 'system'

export const namePath = '/etc/lanward/hostname'
/** A name of the zone on each line: the first that the device has is taken. */
export const zonePath = '/etc/lanward/timezone'
export const ntpPath = '/etc/systemd/timesyncd.conf.d/lanward.conf'
export const ntpStart = 'systemd-timesyncd'
// sshd keeps the first value it reads: this name comes before the images' own drop-ins.
export const loginPath = '/etc/ssh/sshd_config.d/00-lanward.conf'

const part = (path: string, content: string) => fileBlock(path, content, { kind, document: kind })

// An empty line first: servers of the system's own file are not asked beside ours.
const ntp = (servers: readonly string[]) => ownText('[Time]', 'NTP=', `NTP=${servers.join(' ')}`)

// Without the second, PAM would ask for the password in its own words.
const login = (allowed: string) =>
  allowed === 'on'
    ? ownText('PasswordAuthentication yes')
    : ownText('PasswordAuthentication no', 'KbdInteractiveAuthentication no')

export const keysPath = '/etc/ssh/lanward_keys'
export const keysLogin = '/etc/ssh/sshd_config.d/00-lanward-keys.conf'

// Beside what the device has: the account's own keys go on. A file below /etc/lanward could not be read by the account.
const keys = ({ sshKeys }: SystemFields, account: string) => [
  part(keysPath, ownText(...sshKeys)),
  part(
    keysLogin,
    ownText(`Match User ${account}`, `AuthorizedKeysFile .ssh/authorized_keys .ssh/authorized_keys2 ${keysPath}`),
  ),
]

export const passwordPath = '/etc/lanward/password'

/** The hash in the file as read. */
export const passwordSecret = /^([^#:\n]+:)(\$6\$.*)$/gm

/** A salt that is the device's and the password's own, so that two plans are the same and two devices are not. */
const saltOf = ({ facts }: RenderInput, word: string) =>
  createHash('sha256')
    .update(`salt ${facts.mac ?? facts.hostname ?? ''} ${word}`)
    .digest('hex')
    .slice(0, 16)

// The device gets no word in clear; the hash is a secret, too: eight characters are soon guessed from it.
const password = ({ sshPassword = '' }: SystemFields, input: RenderInput) => [
  part(
    passwordPath,
    ownText(`${input.observation?.account}:${marked(shaCrypt(sshPassword, saltOf(input, sshPassword)))}`),
  ),
]

const ownZone = (zone: string) =>
  zoneNames(zone)
    .map(name => `${name}\n`)
    .join('')

export const ledsPath = '/etc/lanward/leds.sh'
export const ledsStart = 'lanward-leds'

const agent = (set: SystemFields) =>
  set.snmp === 'on'
    ? [part(agentPath, ownText(...agentText(set))), part(agentUnit, ownText(agentOn(set))), startBlock(agentStart)]
    : [part(agentUnit, ownText(agentOff))]

const blocksOf: Record<SystemPart, (set: SystemFields, input: RenderInput) => NativeBlock[]> = {
  hostname: set => [part(namePath, `${set.hostname}\n`)],
  timeZone: ({ timeZone = '' }) => [part(zonePath, ownZone(timeZone))],
  ntpServers: set => [part(ntpPath, ntp(set.ntpServers)), startBlock(ntpStart)],
  syslog: (set, { imported }) => syslogBlocks(set, imported),
  passwordLogin: set => [part(loginPath, login(set.passwordLogin))],
  sshPassword: password,
  sshKeys: (set, { observation }) => keys(set, observation?.account ?? ''),
  snmp: agent,
  // With the switch's other ports: ../ports/ports.
  managementVlan: () => [],
  leds: () => [
    part(ledsPath, ownText(darkScript)),
    part(unitPath(ledsStart), scriptUnit({ file: ledsPath, description: 'Lights, as set in Lanward', after: '' })),
    startBlock(ledsStart),
  ],
}
const needs: Partial<Record<SystemPart, (set: SystemFields) => Need[]>> = {
  ntpServers: () => ['timesyncd'],
  syslog: set => ['rsyslog', ...(set.syslog === 'tls' ? ['rsyslogTls' as const] : [])],
  passwordLogin: () => ['sshd'],
  sshKeys: () => ['sshd'],
  snmp: () => ['snmpd'],
  leds: () => ['leds'],
}

/** Parts about the account that the manager uses. */
const ofAccount: ReadonlySet<SystemPart> = new Set(['sshKeys', 'sshPassword'])

/** Who logs in with a password is not to shut that door behind itself. */
const locksOut = (one: SystemPart, set: SystemFields, { observation }: RenderInput) =>
  (one === 'sshPassword' || (one === 'passwordLogin' && set.passwordLogin === 'off')) &&
  observation?.login !== 'publickey'

/** Why a part is left out; what only this device lacks stops nothing else. */
function obstacle(one: SystemPart, set: SystemFields, input: RenderInput): Warning | undefined {
  const need = missingNeed(input.facts, needs[one]?.(set) ?? [])
  if (need) return { code: `needs.${need}`, kind }
  const { timeZone: zone = '' } = set
  if (one === 'timeZone' && lacksZone(input.facts.capabilities, zone))
    return { code: 'zoneMissing', kind, values: { zone } }
  if (ofAccount.has(one) && !input.observation?.account) return { code: 'accountUnknown', kind }
  return locksOut(one, set, input) ? { code: 'managerByPassword', kind, blocks: true } : undefined
}

function render(input: RenderInput): Rendered {
  const set = systemSettings(input.documents)
  const wanted = set ? wantedParts(set) : []
  if (!set || wanted.length === 0) return { blocks: [], warnings: [] }
  const lacking = missingNeed(input.facts, ['root', 'systemd'])
  if (lacking) return { blocks: [], warnings: [{ code: `needs.${lacking}`, kind, blocks: true }] }
  const judged = wanted.map(one => ({ one, warning: obstacle(one, set, input) }))
  return {
    blocks: judged.flatMap(({ one, warning }) => (warning ? [] : blocksOf[one](set, input))),
    warnings: judged.flatMap(({ warning }) => warning ?? []),
  }
}

/** The device's clock, log and login, each as a drop-in beside the system's own files. */
export const systemRenderer: Renderer = { kinds: [kind], render, proposes: systemProposals }
