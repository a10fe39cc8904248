import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { renderAll } from '@/server/drivers/assess'
import {
  type DesiredDocument,
  type Gate,
  type Rendered,
  type RenderInput,
  secretClose,
  secretOpen,
  type Warning,
} from '@/server/drivers/driver'
import { shapingRenderer as linuxShaping } from '@/server/drivers/linux/area/shaping'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { blockedRenderer as linuxBlocked } from '@/server/drivers/linux/firewall/blocked'
import { firewallRenderer as linuxFirewall } from '@/server/drivers/linux/firewall/firewall'
import { gateRenderer as linuxGate } from '@/server/drivers/linux/firewall/gate'
import { wifiClientsRenderer as linuxClients } from '@/server/drivers/linux/firewall/wifi-clients'
import { wifiShapingRenderer as linuxWifiShaping } from '@/server/drivers/linux/firewall/wifi-shaping'
import { wirelessRenderer as linuxWireless } from '@/server/drivers/linux/firewall/wireless-rules'
import { internetRenderer as linuxInternet } from '@/server/drivers/linux/internet/internet'
import { lanRenderer as linuxLan } from '@/server/drivers/linux/lan/lan'
import { portsRenderer as linuxPorts } from '@/server/drivers/linux/ports/ports'
import { systemRenderer as linuxSystem } from '@/server/drivers/linux/system/system'
import { trafficRenderer as linuxTraffic } from '@/server/drivers/linux/system/traffic-logs'
import { meshRenderer as linuxMesh } from '@/server/drivers/linux/wifi/mesh'
import { steeringRenderer as linuxSteering } from '@/server/drivers/linux/wifi/steering'
import { wifiRenderer as linuxWifi } from '@/server/drivers/linux/wifi/wifi'
import type { Facts, Observation } from '@/server/drivers/observation'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { blockedRenderer as openwrtBlocked } from '@/server/drivers/openwrt/firewall/blocked'
import { firewallRenderer as openwrtFirewall } from '@/server/drivers/openwrt/firewall/firewall'
import { gateRenderer as openwrtGate } from '@/server/drivers/openwrt/firewall/gate'
import { ssidRatesRenderer as openwrtRates } from '@/server/drivers/openwrt/firewall/ssid-rates'
import { internetRenderer as openwrtInternet } from '@/server/drivers/openwrt/internet/internet'
import { lanRenderer as openwrtLan } from '@/server/drivers/openwrt/lan/lan'
import { limitsRenderer as openwrtLimits } from '@/server/drivers/openwrt/ports/limits'
import { portsRenderer as openwrtPorts } from '@/server/drivers/openwrt/ports/ports'
import { systemRenderer as openwrtSystem } from '@/server/drivers/openwrt/system/system'
import { trafficRenderer as openwrtTraffic } from '@/server/drivers/openwrt/system/traffic-logs'
import { meshRenderer as openwrtMesh } from '@/server/drivers/openwrt/wifi/mesh'
import { steeringRenderer as openwrtSteering } from '@/server/drivers/openwrt/wifi/steering'
import { wifiRenderer as openwrtWifi } from '@/server/drivers/openwrt/wifi/wifi'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import { networkRoles } from './_network-roles'

// Golden files: golden/DRIVER/AREA/CASE.txt. Each begins with a sentence and what is given, as JSON: the facts of a
// device, what was observed of it and taken over there where that matters, the documents by kind and id. What the renderers make of it
// follows: warnings, and the native blocks as the device gets them.

const folder = `${process.cwd()}/tests/drivers/golden`
export const pathOf = (name: string) => `${folder}/${name}.txt`

/** Who renders an area's cases. Some are about all of a driver together: schedules, VLANs of ports, rules of Wi-Fi. */
const renderers = {
  'linux/blocked-clients': [linuxBlocked],
  'linux/firewall': [linuxFirewall],
  'linux/gate': [linuxLan, linuxGate],
  'linux/internet': [linuxInternet],
  'linux/lan': [linuxLan],
  'linux/mesh': [linuxMesh],
  'linux/ports': [linuxPorts],
  'linux/private-keys': [linuxWifi],
  'linux/radio': [linuxWifi],
  'linux/schedule': linuxDriver.renderers,
  'linux/shaping': [linuxShaping],
  'linux/steering': [linuxSteering],
  'linux/system': [linuxSystem],
  'linux/traffic-logs': [linuxLan, linuxTraffic],
  'linux/wifi': [linuxWifi],
  'linux/wifi-shaping': [linuxWifiShaping],
  'linux/wireless-rules': [linuxWireless, linuxClients],
  'openwrt/blocked-clients': [openwrtBlocked],
  'openwrt/firewall': [openwrtFirewall],
  'openwrt/gate': [openwrtLan, openwrtGate],
  'openwrt/internet': [openwrtInternet],
  'openwrt/lan': [openwrtLan],
  'openwrt/limits': [openwrtLimits],
  'openwrt/mesh': [openwrtMesh],
  'openwrt/port-vlans': openwrtDriver.renderers,
  'openwrt/ports': [openwrtPorts],
  'openwrt/private-keys': [openwrtWifi],
  'openwrt/schedule': openwrtDriver.renderers,
  'openwrt/ssid-rates': [openwrtRates],
  'openwrt/steering': [openwrtSteering],
  'openwrt/system': [openwrtSystem],
  'openwrt/traffic-logs': [openwrtTraffic],
  'openwrt/wifi': [openwrtWifi],
  'openwrt/wireless-rules': openwrtDriver.renderers,
}
export type Area = keyof typeof renderers
export const areas = Object.keys(renderers) as Area[]

/** Names of an area's cases without `.txt`, in the order in which a folder shows them. */
export const casesOf = (area: string): string[] =>
  readdirSync(`${folder}/${area}`)
    .toSorted()
    .map(name => `${area}/${basename(name, '.txt')}`)

type Given = {
  facts: Facts
  observation: Observation
  /** The network's. */
  country?: string
  channels?: NonNullable<RenderInput['channels']>
  documents: DesiredDocument[]
  imported?: ImportedItem[]
  gate?: Gate
}
type Case = {
  /** The first line: what the case shows. */
  title: string
  /** Everything down to what is rendered, as it is in the file. */
  head: string
  given: Given
}

const heading = /^-- (.+) --$/
const documentLine = /^(\w+) (\S+)(?: (".*"))?$/

/** One document a paragraph: kind, id and, where it has another, its name; then its data. */
function documentsOf(text: string): DesiredDocument[] {
  return text.split(/\n(?=\w)/).flatMap(one => {
    const [first = '', ...data] = one.split('\n')
    if (first === '') return []
    const [, kind = '', id = '', name] = documentLine.exec(first) ?? []
    if (kind === '') throw new Error(`no document: ${first}`)
    return [{ id, kind, name: name ? JSON.parse(name) : id, data: JSON.parse(data.join('\n')) }]
  })
}

/** What stands under each heading. */
export function partsOf(head: string): Map<string, string> {
  const parts = new Map<string, string[]>()
  let part: string[] = []
  for (const line of head.split('\n')) {
    const [, title] = heading.exec(line) ?? []
    if (title) {
      part = []
      parts.set(title, part)
    } else part.push(line)
  }
  return new Map([...parts].map(([title, lines]) => [title, lines.join('\n').trim()]))
}

export function readCase(name: string): Case {
  const text = readFileSync(pathOf(name), 'utf8')
  const end = text.indexOf('\n-- Warnings --\n')
  const head = end < 0 ? text : text.slice(0, end)
  const parts = partsOf(head)
  const at = (title: string) => parts.get(title) ?? ''
  const observed = JSON.parse(at('Observed') || '{}')
  return {
    ...{ title: text.split('\n')[0] ?? '', head },
    given: {
      facts: JSON.parse(at('Facts')),
      observation: { takenAt: 0, depth: 'full', networkRoles, ...observed },
      ...(parts.has('Country') && { country: at('Country') }),
      ...(parts.has('Channels') && { channels: JSON.parse(at('Channels')) }),
      documents: documentsOf(at('Documents')),
      ...(parts.has('Gate') && { gate: JSON.parse(at('Gate')) }),
      ...(parts.has('Taken over') && { imported: JSON.parse(at('Taken over')) }),
    },
  }
}

export const render = (area: Area, given: Given): Rendered =>
  renderAll(renderers[area], { ...given, confirmSeconds: 90 })

/** What is rendered for a case, e.g. 'linux/lan/01-vlan', for what is to be known of it besides. */
export const made = (name: `${Area}/${string}`): Rendered =>
  render(name.slice(0, name.lastIndexOf('/')) as Area, readCase(name).given)

const ofDocument = ({ kind, document }: { kind?: string; document?: string }) =>
  [kind, document].filter(part => part !== undefined).join(' ')
const inOneLine = ({ code, values, blocks, ...of }: Warning) =>
  [code, ofDocument(of), values && JSON.stringify(values), blocks && 'stops the push'].filter(Boolean).join(', ')

/** Files as the first case of an area has them: by block, the case and the lines. */
type Shown = Map<string, { by: string; lines: string[] }>
const fewest = 5

/** How many lines from `at` on are those of the other file from `from` on. */
function alike(lines: readonly string[], at: number, others: readonly string[], from: number): number {
  let count = 0
  while (at + count < lines.length && from + count < others.length && lines[at + count] === others[from + count])
    count++
  return count
}

/** Lines that an earlier case shows already are told by where they are there. */
function folded(lines: readonly string[], { by, lines: others }: { by: string; lines: string[] }): string[] {
  if (lines.join('\n') === others.join('\n')) return [`[as in ${by}]`]
  const told: string[] = []
  for (let at = 0; at < lines.length; ) {
    const runs = others.map((_, from) => alike(lines, at, others, from))
    const run = Math.max(0, ...runs)
    if (run < fewest) told.push(lines[at++] ?? '')
    else {
      const from = runs.indexOf(run)
      told.push(`[lines ${from + 1} to ${from + run} as in ${by}]`)
      at += run
    }
  }
  return told
}

/** Secrets are ⟦shown like this⟧: their marks are no characters that can be seen. */
export const visible = (text: string) => text.replaceAll(secretOpen, '⟦').replaceAll(secretClose, '⟧')

function blockText(by: string, id: string, text: string, shown: Shown): string {
  const lines = visible(text).split('\n')
  if (!id.startsWith('file:')) return lines.join('\n')
  if (lines.at(-1) === '') lines.pop()
  else lines.push('[no end of line]')
  const before = shown.get(id)
  if (before) return folded(lines, before).join('\n')
  shown.set(id, { by, lines })
  return lines.join('\n')
}

/** The whole file of a case. `shown` goes along from the area's first case to its last. */
function written(name: string, head: string, made: Rendered, shown: Shown): string {
  const by = basename(name)
  const warnings = made.warnings.map(inOneLine)
  return [
    `${head}\n-- Warnings --\n${warnings.length > 0 ? warnings.join('\n') : 'none'}\n`,
    ...(made.slowSeconds ? [`-- Waits --\n${made.slowSeconds} s\n`] : []),
    ...made.blocks.map(block => {
      const of = [ofDocument(block), block.item && `of ${block.item}`].filter(Boolean).join(', ')
      return `-- ${block.id}${of && ` (${of})`} --\n${blockText(by, block.id, block.text, shown)}\n`
    }),
  ].join('\n')
}

/** The files of an area's cases as they should be today, with what is rendered for each. */
export function filesOf(area: Area): { name: string; title: string; text: string; made: Rendered }[] {
  const shown: Shown = new Map()
  return casesOf(area).map(name => {
    const { title, head, given } = readCase(name)
    const made = render(area, given)
    return { name, title, text: written(name, head, made, shown), made }
  })
}
