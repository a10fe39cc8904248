import { changedFields } from '../../changed-fields'
import type { Adopted, NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { ssids } from '../../unix/ssid'
import { aboutSteering, steeringSettings, steeringWarning } from '../../unix/steering'
import { type Package, prefix } from '../uci/package'
import { reloadService } from '../uci/reload-service'
import type { OpenwrtSession } from '../uci/session'
import { openReader } from '../uci/ubus'
import { uciBlock } from '../uci/uci'
import { networkFor } from './wifi'
import { optionsOf } from './wifi-back'

// usteer reads every section of its file, and an option's last value holds: ours stands behind the one that came with the
// package. A threshold below zero is taken as dBm, one above it as a distance from the noise.

const name = `usteer.${prefix}steering`
const settleMs = 30_000

/** usteer counts a signal as better only where this is set; less would send clients to and fro. */
const betterBy = 10
/** Without it usteer disconnects a client that no other access point hears, instead of leaving it. */
const searchAgainMs = 60_000

function render(input: RenderInput): Rendered {
  const set = steeringSettings(input.documents)
  const networks = ssids(input.documents).map(one => one.name)
  if (!set || networks.length === 0) return { blocks: [], warnings: [] }
  const network = networkFor(undefined, input.observation)
  const lack = !input.facts.capabilities.includes('usteer') ? 'needs.usteer' : network ? undefined : 'networkMissing'
  if (lack) return { blocks: [], warnings: [steeringWarning(lack)] }
  const weakest = String(set.roamingThreshold)
  const most = set.clientThreshold
  const block = uciBlock(
    name,
    'usteer',
    [
      ['enabled', '1'],
      ['network', network],
      ['ssid_list', [...new Set(networks)]],
      ['roam_scan_snr', weakest],
      ['roam_scan_timeout', String(searchAgainMs)],
      ['roam_trigger_snr', weakest],
      ['signal_diff_threshold', String(betterBy)],
      ['load_kick_enabled', most === undefined ? '0' : '1'],
      ['load_kick_min_clients', most?.toString()],
    ],
    aboutSteering,
  )
  return { blocks: [block], warnings: [] }
}

function fieldsIn({ text }: NativeBlock) {
  const options = optionsOf(text)
  const most = options.get('load_kick_enabled') === '1' ? options.get('load_kick_min_clients') : undefined
  return {
    enabled: options.get('enabled') !== '0',
    roamingThreshold: Number(options.get('roam_trigger_snr')),
    clientThreshold: most === undefined ? undefined : Number(most),
  }
}

const adopt = (seen: NativeBlock, planned: NativeBlock): Adopted[] | undefined =>
  seen.id === `uci:${name}`
    ? [{ document: aboutSteering.document, fields: changedFields(fieldsIn(planned), fieldsIn(seen)) }]
    : undefined

/** The service starts a while after its script ended, and is given its settings by a call then. */
async function verify({ ssh }: OpenwrtSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const wanted = blocks.map(block => fieldsIn(block).roamingThreshold)
  for (const until = Date.now() + settleMs; ; ) {
    const told = await (await openReader(ssh)).ubus('usteer', 'get_config')
    if (wanted.every(one => told?.roam_trigger_snr === one)) return []
    if (Date.now() > until) return [steeringWarning('usteerDown')]
    await new Promise(wake => setTimeout(wake, 1_000))
  }
}

export const usteer: Package = {
  name: 'usteer',
  reload: reloadService('usteer', 'restart'),
  lists: ['ssid_list'],
  verify,
}

/** Clients are moved between access points by usteer, where the package is. */
export const steeringRenderer: Renderer = {
  kinds: [aboutSteering.kind],
  reads: ['ssid'],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  adopt,
}
