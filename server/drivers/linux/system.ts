import { createHash } from 'node:crypto'
import type { SystemFields } from '@/model/system/system'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../driver'
import { missingNeed } from '../needs'
import { darkScript } from '../unix/leds'
import { marked } from '../unix/secret'
import { shaCrypt } from '../unix/sha-crypt'
import { type SystemPart, systemSettings, wantedParts } from '../unix/system'
import type { Need } from '../words'
import { fileBlock } from './area'
import { scriptUnit, startPath, unitPath, wantsText } from './oneshot'
import { agentOff, agentOn, agentPath, agentStart, agentText, agentUnit } from './snmp-agent'
import { formerForward, forwardImported } from './unmanaged/imported'
import { systemProposals } from './unmanaged/proposals'
import { forwardTarget } from './unmanaged/system'

const kind = 'system'

export const namePath = '/etc/lanward/hostname'
export const zonePath = '/etc/lanward/timezone'
export const ntpPath = '/etc/systemd/timesyncd.conf.d/lanward.conf'
export const ntpStart = 'systemd-timesyncd'
export const syslogPath = '/etc/rsyslog.d/60-lanward.conf'
export const syslogStart = 'rsyslog'
// sshd keeps the first value it reads: this name comes before the images' own drop-ins.
export const loginPath = '/etc/ssh/sshd_config.d/00-lanward.conf'

const head = '# Written by Lanward. Changes made here are replaced.'
const text = (...lines: string[]) => `${[head, ...lines].join('\n')}\n`
const part = (path: string, content: string) => fileBlock(path, content, { kind, document: kind })

/** A drop-in starts the service at boot where the system does not do so itself. */
export const startFile = (service: string) => startPath(`lanward-${service}`)
const start = (service: string) => fileBlock(startFile(service), wantsText(service))

// An empty line first: servers of the system's own file are not asked beside ours.
const ntp = (servers: readonly string[]) => text('[Time]', 'NTP=', `NTP=${servers.join(' ')}`)

// Messages wait in memory while the target is away, and never hold up the device's own log.
const syslog = ({ syslogHost, syslogPort, syslog: protocol }: SystemFields) => [
  `*.* action(type="omfwd" target="${syslogHost}" port="${syslogPort}" protocol="${protocol}"`,
  '  queue.type="LinkedList" queue.size="10000" queue.timeoutEnqueue="0"',
  '  action.resumeRetryCount="-1" action.resumeInterval="5")',
]

/** In the system's own line, where it was taken over: as it stood when that is what it said. */
function syslogBlocks(set: SystemFields, taken: RenderInput['imported']): NativeBlock[] {
  const owned = forwardImported(taken)
  if (!owned) return [part(syslogPath, text(...syslog(set))), start(syslogStart)]
  const before = formerForward(owned)
  const said = forwardTarget(before)
  const same = said?.host === set.syslogHost && said?.port === set.syslogPort && said?.protocol === set.syslog
  const line = syslog(set).map(one => one.trim())
  return [{ id: owned.id, item: owned.id, kind, document: kind, text: same ? before : line.join(' ') }]
}

// Without the second, PAM would ask for the password in its own words.
const login = (allowed: string) =>
  allowed === 'on'
    ? text('PasswordAuthentication yes')
    : text('PasswordAuthentication no', 'KbdInteractiveAuthentication no')

export const keysPath = '/etc/ssh/lanward_keys'
export const keysLogin = '/etc/ssh/sshd_config.d/00-lanward-keys.conf'

// Beside what the device has: the account's own keys go on. A file below /etc/lanward could not be read by the account.
const keys = ({ sshKeys }: SystemFields, account: string) => [
  part(keysPath, text(...sshKeys)),
  part(
    keysLogin,
    text(`Match User ${account}`, `AuthorizedKeysFile .ssh/authorized_keys .ssh/authorized_keys2 ${keysPath}`),
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
    text(`${input.observation?.account}:${marked(shaCrypt(sshPassword, saltOf(input, sshPassword)))}`),
  ),
]

export const ledsPath = '/etc/lanward/leds.sh'
export const ledsStart = 'lanward-leds'

const agent = (set: SystemFields) =>
  set.snmp === 'on'
    ? [part(agentPath, text(...agentText(set))), part(agentUnit, text(agentOn)), start(agentStart)]
    : [part(agentUnit, text(agentOff))]

const blocksOf: Record<SystemPart, (set: SystemFields, input: RenderInput) => NativeBlock[]> = {
  hostname: set => [part(namePath, `${set.hostname}\n`)],
  timeZone: set => [part(zonePath, `${set.timeZone}\n`)],
  ntpServers: set => [part(ntpPath, ntp(set.ntpServers)), start(ntpStart)],
  syslog: (set, { imported: taken }) => syslogBlocks(set, taken),
  passwordLogin: set => [part(loginPath, login(set.passwordLogin))],
  sshPassword: password,
  sshKeys: (set, { observation }) => keys(set, observation?.account ?? ''),
  snmp: agent,
  leds: () => [
    part(ledsPath, text(darkScript)),
    part(unitPath(ledsStart), scriptUnit({ file: ledsPath, description: 'Lights, as set in Lanward', after: '' })),
    start(ledsStart),
  ],
}
const needs: Partial<Record<SystemPart, Need>> = {
  ntpServers: 'timesyncd',
  syslog: 'rsyslog',
  passwordLogin: 'sshd',
  sshKeys: 'sshd',
  snmp: 'snmpd',
  leds: 'leds',
}

/** Parts about the account that the manager uses. */
const ofAccount: ReadonlySet<SystemPart> = new Set(['sshKeys', 'sshPassword'])

/** Who logs in with a password is not to shut that door behind itself. */
const locksOut = (one: SystemPart, set: SystemFields, { observation }: RenderInput) =>
  (one === 'sshPassword' || (one === 'passwordLogin' && set.passwordLogin === 'off')) &&
  observation?.login !== 'publickey'

/** Why a part is left out; what only this device lacks stops nothing else. */
function obstacle(one: SystemPart, set: SystemFields, input: RenderInput): Warning | undefined {
  const need = needs[one]
  if (need && !input.facts.capabilities.includes(need)) return { code: `needs.${need}`, kind }
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
