import { environmentStates } from './part-states'
import { answering, at, fromDescription, type Source, type Vendor } from './vendor'

// RADLAN (later Marvell), the software of Cisco's small business switches, of Linksys', of older Dell and Allied Telesis
// ones and of Eltex: the same tree below two numbers, 89 and 9.6.1.101.

/** rlPhdUnitGenParamTable, rndMng, rlEnv* and rlPethPsePortTable below `root`. */
export function radlan(root: string) {
  const unit = (column: number): Source => at(`${root}.53.14.1.${column}`, { pick: 'first' })
  return {
    facts: {
      model: [unit(7)],
      serial: [unit(5)],
      firmware: [unit(2), at(`${root}.2.4.0`)],
      hardware: [unit(4)],
      boot: [unit(3)],
    },
    health: {
      // 101 while it counts nothing: out of bounds, so the next is asked.
      cpuPercent: [8, 9, 7].map(number => at(`${root}.1.${number}.0`)),
      temperatureCelsius: [at(`${root}.53.15.1.10`, { pick: 'max', skipZero: true })],
    },
    lists: {
      fans: [
        {
          name: 'rlEnvMonFanStatusTable',
          entry: `${root}.83.1.1.1`,
          fields: { name: { column: 2 }, state: { column: 3, means: environmentStates } },
        },
        {
          name: 'rlEnvFanDataTable',
          entry: `${root}.83.5.1.1`,
          fields: { rpm: { column: 3, skipZero: true } },
        },
      ],
      powerSupplies: [
        {
          name: 'rlEnvMonSupplyStatusTable',
          entry: `${root}.83.1.2.1`,
          fields: { name: { column: 2 }, state: { column: 3, means: environmentStates } },
        },
      ],
      temperatures: [
        {
          name: 'rlPhdUnitEnvParamTable',
          entry: `${root}.53.15.1`,
          fields: { celsius: { column: 10, skipZero: true } },
        },
        {
          name: 'rlEnvFanDataTable',
          entry: `${root}.83.5.1.1`,
          fields: { celsius: { column: 2, skipZero: true } },
        },
      ],
      poePorts: [
        {
          name: 'rlPethPsePortTable',
          entry: `${root}.108.1.1`,
          fields: { watts: { column: 5, times: 0.001 } },
        },
      ],
    },
  } satisfies Pick<Vendor, 'facts' | 'health' | 'lists'>
}

const plain = radlan('89')

/** RADLAN's own number, which is Radware's, too. */
export const radlanSwitch: Vendor = {
  enterprises: ['89'],
  roles: [{ role: 'switch', description: /switch|managed/i }],
  ...plain,
}

/** Linksys LGS and SRW. */
const linksys: Vendor = {
  name: 'Linksys',
  enterprises: ['3955'],
  roles: [
    { role: 'switch', description: /switch|\b(LGS|SRW|SLM)\d/i },
    { role: 'gateway', description: /router|\b(RV|LRT|WRT)\d/i },
    { role: 'ap', description: /access point|\b(LAPAC|WAP)\d/i },
  ],
  ...plain,
  facts: { ...plain.facts, model: [...plain.facts.model, fromDescription(/\b((?:LGS|SRW|SLM|RV|LRT|LAPAC)\d\w*)/)] },
}

/** Eltex MES: RADLAN's tree, and memory in the maker's own. */
const eltex: Vendor = {
  name: 'Eltex',
  enterprises: ['35265'],
  roles: [
    { role: 'ap', description: /\bW(EP|OP|B)-\d/i },
    { role: 'gateway', description: /\b(ESR|RG|TAU)-?\d/i },
    { role: 'switch', description: /\bMES-?\d|switch/i },
  ],
  ...plain,
  facts: { ...plain.facts, model: [...plain.facts.model, fromDescription(/\b((?:MES|ESR|WEP|WOP)-?\d\w*)/)] },
  health: {
    ...plain.health,
    memoryTotalBytes: [at('35265.41.1.2.1.1.3.0')],
    memoryFreeBytes: [at('35265.41.1.2.1.1.7.0')],
  },
}

/** PowerConnect 28xx, 35xx, 55xx with a number of Dell's and RADLAN's tree. */
const dellRadlan: Vendor = {
  ...radlanSwitch,
  roles: [{ role: 'switch' }],
  name: 'Dell',
  enterprises: ['674.10895'],
  answers: ['89.53'],
  facts: {
    ...plain.facts,
    model: [at('674.10895.3000.1.2.100.1.0'), ...plain.facts.model, fromDescription(/\b(PowerConnect \d+\w*)/i)],
    serial: [at('674.10895.3000.1.2.100.8.1.2', { pick: 'first' }), ...plain.facts.serial],
    firmware: [at('674.10895.3000.1.2.100.4.0'), ...plain.facts.firmware],
  },
}

const radlanAnswering = answering({ ...radlanSwitch, roles: [{ role: 'switch' }] }, '89.53')

export const radlanRows: readonly Vendor[] = [dellRadlan, eltex, linksys, radlanAnswering, radlanSwitch]
