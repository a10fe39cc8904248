// Prints what the SNMP driver makes of a recorded walk, to be looked at beside the walk itself:
//   npx esbuild tests/drivers/describe-walk.ts --bundle --platform=node --format=esm --packages=external \
//     --alias:@=. --outfile=/tmp/describe-walk.mjs && node /tmp/describe-walk.mjs FILE.snmprec[.bz2]...
import { observeWalk } from './recording'

const count = (list: unknown[] | undefined) => list?.length ?? '-'

async function describe(file: string) {
  const seen = await observeWalk(file)
  const { interfaces = [], ports = [], hosts = [], facts } = seen
  console.log(`== ${file.split('/').at(-1)} (${seen.requests} requests)`)
  console.log(JSON.stringify({ ...facts, description: facts?.description?.slice(0, 60) }))
  console.log(
    `health ${JSON.stringify(seen.health)} poe ${JSON.stringify(seen.poe)} clients ${seen.wirelessClients ?? '-'}`,
  )
  console.log(
    `interfaces ${interfaces.length}: ${interfaces
      .map(each => `${each.name}:${each.type}${each.up ? '+' : ''}`)
      .join(' ')
      .slice(0, 600)}`,
  )
  console.log(
    `ports ${ports.map(each => `${each.label}${each.nativeVlan === undefined ? '' : `v${each.nativeVlan}`}${each.taggedVlans?.length ? `t${each.taggedVlans.length}` : ''}${each.poe ? 'P' : ''}`).join(' ')}`,
  )
  console.log(
    `hosts ${count(seen.hosts)}: arp ${hosts.filter(each => each.source === 'arp').length} fdb ${hosts.filter(each => each.source === 'fdb').length} both ${hosts.filter(each => each.source === 'both').length} with port ${hosts.filter(each => each.port).length}`,
  )
  console.log(
    `neighbours ${count(seen.neighbours)}: ${JSON.stringify(seen.neighbours?.map(each => [each.localPort, each.systemName ?? each.chassisId, each.portId, each.managementAddress]) ?? null).slice(0, 400)}`,
  )
  console.log(
    `radios ${JSON.stringify(seen.radios ?? null)} bss ${count(seen.bss)} stations ${count(seen.stations)} problems ${JSON.stringify(seen.problems ?? [])}`,
  )
}

for (const file of process.argv.slice(2)) await describe(file)
