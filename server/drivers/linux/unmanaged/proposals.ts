import type { Renderer } from '../../driver'
import { nameFor } from '../../unix/documents'
import { lans } from '../../unix/lans'
import { wans } from '../../unix/wans'
import type { ImportedItem, ImportProposal, UnmanagedItem } from '../../unmanaged'
import { type Addressing, addressingOf, addressOption, runnerOf } from './links'
import { forwardOption, forwardTarget } from './system'

// What settings have to say for what was imported to stay as it is.

type Proposes = NonNullable<Renderer['proposes']>

type Chosen = { id: string; name: string; how: Addressing }

/** Chosen interfaces that a kind of setting says. */
function chosenLinks(chosen: readonly ImportedItem[], all: readonly UnmanagedItem[], kind: string): Chosen[] {
  return chosen.flatMap(({ id, options }) => {
    const offered = all.find(one => one.id === id)?.options.find(one => one.option === addressOption)
    const how = addressingOf(runnerOf(id.slice('file:'.length)), options[addressOption] ?? '')
    return offered?.kind === kind && how ? [{ id, name: id.slice(id.lastIndexOf('#') + 1), how }] : []
  })
}

/** Rule N14: the LAN's port itself is VLAN 1. Its clients are served by whoever served them. */
export const lanProposals: Proposes = (chosen, all, input) =>
  chosenLinks(chosen, all, 'lan').flatMap(({ id, name, how }): ImportProposal[] => {
    if (how.connection !== 'static') return []
    const given = lans(input.documents).find(one => one.vlan === 1)
    const address = `${how.address}/${how.prefix}`
    if (given) return [{ kind: 'lan', fields: {}, items: [id], document: given.id }]
    return [{ kind: 'lan', fields: { name: nameFor(input, name), vlan: 1, address, dhcp: false }, items: [id] }]
  })

/** Whoever translates addresses on this way goes on doing so. */
export const wanProposals: Proposes = (chosen, all, input) =>
  chosenLinks(chosen, all, 'wan').map(({ id, name, how }): ImportProposal => {
    const given = wans(input.documents).find(one => one.interface === name && one.vlan === undefined)
    if (given) return { kind: 'wan', fields: {}, items: [id], document: given.id }
    return { kind: 'wan', fields: { name: nameFor(input, name), interface: name, nat: false, ...how }, items: [id] }
  })

/** What an option of the system's says in settings; undefined where it says nothing that they know. */
const said: Record<string, (value: string) => Record<string, unknown> | undefined> = {
  zone: timeZone => ({ timeZone }),
  NTP: servers => ({ ntpServers: servers.split(' ') }),
  PasswordAuthentication: value => ({ passwordLogin: value === 'yes' ? 'on' : 'off' }),
  [forwardOption]: line => {
    const to = forwardTarget(line)
    return to && { syslog: to.protocol, syslogHost: to.host, syslogPort: to.port, syslogLevel: to.level }
  },
}

export const systemProposals: Proposes = chosen =>
  chosen.flatMap(({ id, options }) =>
    Object.entries(options).flatMap(([option, value]) => {
      const fields = value === null ? undefined : said[option]?.(value)
      return fields ? [{ kind: 'system', fields, items: [id] }] : []
    }),
  )
