import { type Adopted, type DesiredDocument, DeviceError, type NativeBlock } from '../../driver'
import { quote } from '../../shell'
import type { ImportedItem } from '../../unmanaged'
import { placeOf, readPlace, writePlace } from '../unmanaged/edit'
import { type Addressing, addressingOf, addressOption, linkText, runnerOf } from '../unmanaged/links'
import { type File, forwardOption } from '../unmanaged/system'
import { type Check, reloadNetworks } from './area'

// What was imported of somebody else's files. The rest of such a file is never written.

const paths = [
  ...[String.raw`systemd/network/[^/#]+\.network`, String.raw`network/interfaces(?:\.d/[^/#]+)?`],
  ...[String.raw`rsyslog\.conf`, String.raw`rsyslog\.d/[^/#]+\.conf`],
]
const idPattern = new RegExp(`^file:(/etc/(?:${paths.join('|')}))#([A-Za-z0-9._-]+)$`)

/** `file:/etc/network/interfaces#eth0`: the file, and what in it is meant; no path for what is not lines of a file. */
const placeIn = (id: string) => {
  const [, path = '', name = ''] = idPattern.exec(id) ?? []
  return { path, name, place: placeOf(path, name) }
}

/** Items that are lines of a file; others are decided by files of ours beside the system's. */
const inFile = ({ id }: { id: string }) => idPattern.test(id)

const formerLines = ({ options }: ImportedItem): string => options[addressOption] ?? options[forwardOption] ?? ''

export const formerBlocks = (item: ImportedItem): NativeBlock[] =>
  inFile(item) ? [{ id: item.id, item: item.id, text: formerLines(item) }] : []

/** Its lines now; none where the file has no such place any more. */
export const importedBlocks = (imported: readonly ImportedItem[], files: readonly File[]): NativeBlock[] =>
  imported.filter(inFile).flatMap(({ id }) => {
    const { path, place } = placeIn(id)
    const file = files.find(one => one.path === path)
    const text = file && readPlace(file.text, place)
    return text === undefined ? [] : [{ id, item: id, text }]
  })

export const importedPath = ({ id }: { id: string }): string => placeIn(id).path

/** The item that addresses an interface, where one was imported. */
export const importedLink = (imported: readonly ImportedItem[] | undefined, name: string): ImportedItem | undefined =>
  imported?.find(item => addressOption in item.options && placeIn(item.id).name === name)

/** The interface whose addresses an imported block holds. */
export const linkNameOf = ({ id, item }: Pick<NativeBlock, 'id' | 'item'>): string | undefined => {
  const { path, name } = placeIn(id)
  return item && /^\/etc\/(systemd\/network|network)\//.test(path) ? name : undefined
}

/** The addresses of an interface, in the file that has them. */
export function linkBlock(item: ImportedItem, wanted: Addressing, about: Partial<NativeBlock>): NativeBlock {
  const { path, name } = placeIn(item.id)
  const text = linkText({ by: runnerOf(path), name, former: formerLines(item) }, wanted)
  return { ...about, id: item.id, item: item.id, text }
}

/** The reverse of `linkBlock`: what the document has to say for the interface to be addressed as it is. */
export function adoptLink(
  seen: NativeBlock,
  { kind, document: id }: NativeBlock,
  documents: readonly DesiredDocument[],
): Adopted[] | undefined {
  const { path } = placeIn(seen.id)
  const how = linkNameOf(seen) && addressingOf(runnerOf(path), seen.text)
  const document = documents.find(one => one.id === id)
  if (!how || !document) return undefined
  if (kind === 'wan') return [{ document: document.id, fields: { ...how } }]
  if (how.connection === 'dhcp' || how.gateway) return undefined
  return [{ document: document.id, fields: { address: `${how.address}/${how.prefix}` } }]
}

export const forwardImported = (imported: readonly ImportedItem[] | undefined): ImportedItem | undefined =>
  imported?.find(item => forwardOption in item.options)

export const formerForward = formerLines

/** The files with these blocks in them, each written once. */
export function editedFiles(blocks: readonly NativeBlock[], files: readonly File[]): File[] {
  const texts = new Map(files.map(file => [file.path, file.text]))
  for (const block of blocks) {
    const { path, name, place } = placeIn(block.id)
    const edited = writePlace(texts.get(path) ?? '', place, block.text)
    if (edited === undefined) throw new DeviceError('commandFailed', `${path} says nothing of ${name} any more`)
    texts.set(path, edited)
  }
  return [...new Set(blocks.map(importedPath))].map(path => ({ path, text: texts.get(path) ?? '' }))
}

// Who keeps an interface's DHCP lease, by the file of its process; dhcpcd, Debian 13's, names it by the version it asks for.
const clients = (name: string) => [
  `/run/dhclient.${name}.pid`,
  `/run/udhcpc.${name}.pid`,
  ...['', '-4', '-6'].map(version => `/run/dhcpcd/${name}${version}.pid`),
]

// ifupdown takes away what its file says now, so addresses of before are flushed, and a client for DHCP is ended: one that
// lives on would set them again.
const again = (name: string) => {
  const link = quote(name)
  return `if [ "$mode" != boot ]; then
for p in ${clients(name).map(quote).join(' ')}; do
[ -e "$p" ] && pid=$(cat "$p") && kill "$pid" 2>/dev/null || continue
n=0; while [ $n -lt 5 ] && kill -0 "$pid" 2>/dev/null; do sleep 1; n=$((n+1)); done
done
ip -4 addr flush dev ${link} scope global 2>/dev/null
ifdown --force ${link} >/dev/null 2>&1 </dev/null
timeout 60 ifup --force ${link} >/dev/null 2>&1 </dev/null || return 1
fi`
}

/** Shell lines that make the system follow these blocks, after a change and after putting back. */
export function reloadImported(blocks: readonly NativeBlock[]): string[] {
  const paths = blocks.map(block => ({ path: importedPath(block), name: linkNameOf(block) ?? '' }))
  const of = (start: string) => paths.filter(one => one.path.startsWith(start))
  return [
    ...(of('/etc/systemd/network/').length > 0 ? [reloadNetworks] : []),
    ...of('/etc/network/').map(({ name }) => again(name)),
    ...(of('/etc/rsyslog').length > 0
      ? ['[ "$mode" = boot ] || { rsyslogd -N1 >/dev/null && systemctl try-restart rsyslog.service; } || return 1']
      : []),
  ]
}

/** The addresses that the lines say are there. */
export function checkImported(block: NativeBlock): Check[] {
  const { path } = placeIn(block.id)
  const name = linkNameOf(block)
  if (!name) return []
  const how = addressingOf(runnerOf(path), block.text)
  const address = how?.connection === 'static' ? ` ${how.address}/${how.prefix} ` : ' inet '
  const about = { kind: block.kind, document: block.document, values: { interface: name } }
  return [
    {
      line: `ip -o -4 addr show dev ${quote(name)} scope global | grep -qF ${quote(address)}`,
      warning: { ...about, code: block.kind === 'wan' ? 'wanAddressMissing' : 'lanAddressMissing' },
    },
  ]
}
