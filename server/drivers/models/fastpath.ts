import { boxStates } from './part-states'
import { answering, at, fromDescription, type Vendor } from './vendor'

// FASTPATH, the software of Netgear's managed switches, of Ubiquiti's EdgeSwitch and of many Dell ones: the same
// table of contents below each maker's number.

/** `roots`: where the maker hung FASTPATH's tree, the newer place first (SWITCHING-MIB is its 1, BOXSERVICES its 43). */
const fastpath = (...roots: string[]): Required<Pick<Vendor, 'facts' | 'health' | 'lists'>> => {
  const everywhere = <T>(of: (root: string) => T): T[] => roots.map(of)
  return {
    facts: {
      model: [...everywhere(root => at(`${root}.1.1.1.3.0`)), ...everywhere(root => at(`${root}.1.1.1.2.0`))],
      serial: everywhere(root => at(`${root}.1.1.1.4.0`)),
      partNumber: everywhere(root => at(`${root}.1.1.1.6.0`)),
      hardware: everywhere(root => at(`${root}.1.1.1.7.0`)),
      firmware: everywhere(root => at(`${root}.1.1.1.13.0`)),
    },
    health: {
      cpuPercent: everywhere(root => at(`${root}.1.1.4.9.0`, { pattern: /60 Secs?\s*\(\s*([\d.]+)%/i })),
      memoryFreeBytes: everywhere(root => at(`${root}.1.1.4.1.0`, { times: 1024 })),
      memoryTotalBytes: everywhere(root => at(`${root}.1.1.4.2.0`, { times: 1024 })),
    },
    lists: {
      fans: everywhere(root => ({
        name: 'boxServicesFansTable',
        entry: `${root}.43.1.6.1`,
        fields: { state: { column: 3, means: boxStates }, rpm: { column: 4, skipZero: true } },
      })),
      powerSupplies: everywhere(root => ({
        name: 'boxServicesPowSuppliesTable',
        entry: `${root}.43.1.7.1`,
        fields: { state: { column: 3, means: boxStates } },
      })),
      // Older ones have no column for the unit: theirs is one to the left.
      temperatures: [5, 4].flatMap(column =>
        everywhere(root => ({
          name: 'boxServicesTempSensorsTable',
          entry: `${root}.43.1.8.1`,
          fields: { celsius: { column } },
        })),
      ),
    },
  }
}

// "M4300-52G ProSAFE 48-port …, 12.0.11.8, 1.0.0.8" and "GS724Tv4 ProSafe …, 6.3.1.11, B1.0.0.4".
const netgearModel = fromDescription(/^([A-Z]{1,5}\d\w*(?:[-+]\w+\+?)*)\s/)
const netgearFirmware = fromDescription(/,\s*(\d+\.\d+\.\d+(?:\.\d+)?)\s*(?:,|$)/)

const netgearOwn = fastpath('4526.10', '4526.11')

/** Smart switches of the fourth generation on have the managed ones' tree, those before 4526.11. */
const netgear: Vendor = {
  name: 'Netgear',
  enterprises: ['4526'],
  roles: [
    { role: 'ap', description: /access point|\bW[ANC][A-Z]?\d{3}/i },
    { role: 'switch', objectId: '4526.100' },
    { role: 'switch', description: /switch|\b[FGXM]S\d|\bM\d{4}/i },
  ],
  ...netgearOwn,
  facts: {
    ...netgearOwn.facts,
    model: [...(netgearOwn.facts.model ?? []), netgearModel],
    firmware: [...(netgearOwn.facts.firmware ?? []), netgearFirmware],
  },
}

const edgeswitchOwn = fastpath('4413.1.1')

/** "US-8-60W, 5.76.7.13442, Linux 3.6.5": FASTPATH itself then knows but the board. */
const unifiSwitch = fromDescription(/^(USW?[ -][\w -]*?)(?:,| firmware| v?\d+\.\d)/)
const edgeswitchName = fromDescription(/^((?:EdgeSwitch|EdgePoint)[^,]*?)(?:,| firmware)/)
const edgeswitchFirmware = fromDescription(
  /^(?:EdgeSwitch|EdgePoint|USW?[ -])[^,]*?(?:, ?(?:firmware )?| firmware )v?(\d+\.[\w.+-]+)/,
)

const edgeswitch: Vendor = {
  name: 'Ubiquiti',
  enterprises: ['4413'],
  roles: [{ role: 'switch' }],
  ...edgeswitchOwn,
  facts: {
    ...edgeswitchOwn.facts,
    model: [unifiSwitch, ...(edgeswitchOwn.facts.model ?? []), edgeswitchName],
    firmware: [...(edgeswitchOwn.facts.firmware ?? []), edgeswitchFirmware],
  },
}

/** FASTPATH below Broadcom's number, whoever made the switch. */
const fastpathAnswering = answering({ ...edgeswitch, name: undefined }, '4413.1.1.1')

const dellOwn = fastpath('674.10895.5000.2.6132.1.1')

/** Dell-Vendor-MIB of all PowerConnect and N-series switches, and FASTPATH of those that have it. */
const dellSwitch: Vendor = {
  name: 'Dell',
  enterprises: ['674.10895'],
  roles: [{ role: 'switch' }],
  ...dellOwn,
  facts: {
    ...dellOwn.facts,
    model: [
      at('674.10895.3000.1.2.100.1.0'),
      ...(dellOwn.facts.model ?? []),
      fromDescription(/^((?:PowerConnect|Dell (?:EMC )?Networking)?\s*[A-Z]?\d{4}\w*(?:-\w+)*)/i),
    ],
    // What Dell asks for is the service tag; the serial number of the board, where it is told, says more.
    serial: [
      at('674.10895.3000.1.2.100.8.1.2', { pick: 'first' }),
      ...(dellOwn.facts.serial ?? []),
      at('674.10895.3000.1.2.100.8.1.4', { pick: 'first' }),
    ],
    firmware: [
      at('674.10895.3000.1.2.100.4.0'),
      ...(dellOwn.facts.firmware ?? []),
      fromDescription(/,\s*(\d+\.\d+\.[\d.]+)/),
    ],
  },
}

export const fastpathRows: readonly Vendor[] = [dellSwitch, edgeswitch, fastpathAnswering, netgear]
