import { listenSeconds } from '@/model/wifi/channels'
import { bandOf } from '@/model/wifi/radio'
import { changedFields } from '../../changed-fields'
import type { Adopted, NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import type { Radio } from '../../observation'
import { bandNames } from '../../unix/band'
import { aboutMesh, meshSettings, meshWarning } from '../../unix/mesh'
import { radioSettings } from '../../unix/radio'
import { marked, unmarked } from '../../unix/secret'
import { type Option, shown } from '../options/private-keys'
import { prefix } from '../uci/package'
import { countryOf, ownsRadio } from './radio'
import { networkFor } from './wifi'
import { optionsOf } from './wifi-back'

const start = `${prefix}mesh_`

type Mesh = NonNullable<ReturnType<typeof meshSettings>>

/** Why a device cannot be in the mesh at all. */
function obstacle({ key, band }: Mesh, radio: Radio | undefined, network: string | undefined, input: RenderInput) {
  if (key === undefined) return meshWarning('meshKey')
  if (['noMesh', 'noSae'].some(one => input.facts.capabilities.includes(one))) return meshWarning('meshMissing')
  if (!radio) return meshWarning('meshBand', { band: bandNames[band] })
  return network === undefined ? meshWarning('networkMissing') : undefined
}

/** The radios of a mesh hear each other on one channel only. */
function aboutChannel(radio: Radio, { band }: Mesh, { documents, imported }: RenderInput): Warning[] {
  const set = radioSettings(documents)
  const fixed = set && ownsRadio(radio.key, 'channel', imported) && bandOf(set, band).channel !== 0
  return fixed ? [] : [meshWarning('meshChannel', { radio: radio.name, channel: radio.channel ?? '–' })]
}

/** Two of its access points on one cable make a circle that only a spanning tree opens. */
function aboutCircle(network: string, { observation: seen }: RenderInput): Warning[] {
  const device = seen?.networks?.find(one => one.name === network)?.device
  const bridge = device?.replace(/\.\d+$/, '')
  const wired = seen?.interfaces?.some(one => one.master === bridge && one.type === 'ethernet' && one.up)
  const tree = seen?.interfaces?.some(one => one.name === bridge && one.spanningTree)
  return bridge !== undefined && wired && !tree ? [meshWarning('meshCircle', { bridge })] : []
}

function warningsOf(radio: Radio, network: string, set: Mesh, input: RenderInput): Warning[] {
  const values = { radio: radio.name }
  const off = radio.up === false && !ownsRadio(radio.key, 'disabled', input.imported)
  return [
    ...(off ? [meshWarning('radioDisabled', values)] : []),
    ...(set.band === '5g' && !countryOf(radio, input) ? [meshWarning('countryMissing', values)] : []),
    ...aboutChannel(radio, set, input),
    ...aboutCircle(network, input),
  ]
}

/** W12: a hop is one less of both lives, that of a frame (dot11MeshTTL) and that of the search for a path (element TTL). */
const optionsFor = ({ meshId, key, cascades, meshTime }: Mesh, radio: Radio, network: string): Option[] => [
  ['device', radio.key],
  ['mode', 'mesh'],
  ['network', network],
  ['mesh_id', meshId ?? ''],
  ['encryption', 'sae'],
  ['key', marked(key ?? '')],
  ['mesh_fwding', '1'],
  ['mesh_ttl', String(cascades)],
  ['mesh_element_ttl', String(cascades)],
  ['mesh_plink_timeout', String(meshTime * 60)],
]

function render(input: RenderInput): Rendered {
  const set = meshSettings(input.documents)
  if (!set) return { blocks: [], warnings: [] }
  // Two radios of one device in the same mesh would be a circle within it.
  const radio = input.observation?.radios?.find(one => one.band === set.band)
  const network = networkFor(undefined, input.observation)
  const missing = obstacle(set, radio, network, input)
  if (missing || !radio || network === undefined) return { blocks: [], warnings: missing ? [missing] : [] }
  const name = `${start}${radio.key.replace(/[^A-Za-z0-9]/g, '_')}`
  const text = shown(name, 'wifi-iface', optionsFor(set, radio, network))
  return {
    blocks: [{ id: `uci:wireless.${name}`, ...aboutMesh, text }],
    warnings: warningsOf(radio, network, set, input),
    slowSeconds: radio.channel ? listenSeconds(set.band, radio.channel, radio.widthMhz ?? 20) : 0,
  }
}

function fieldsIn(text: string): Record<string, unknown> {
  const options = optionsOf(text)
  return {
    meshId: options.get('mesh_id'),
    key: unmarked(options.get('key') ?? ''),
    cascades: Number(options.get('mesh_ttl')),
    meshTime: Number(options.get('mesh_plink_timeout')) / 60,
  }
}

function adopt(seen: NativeBlock, planned: NativeBlock): Adopted[] | undefined {
  if (!seen.id.startsWith(`uci:wireless.${start}`)) return undefined
  return [{ document: aboutMesh.document, fields: changedFields(fieldsIn(planned.text), fieldsIn(seen.text)) }]
}

/** A device's place in a mesh as one more `wifi-iface` of a radio, in the bridge that its wireless networks join. */
export const meshRenderer: Renderer = {
  kinds: [aboutMesh.kind],
  reads: ['radio'],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  adopt,
}
