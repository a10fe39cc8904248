import { at, fromDescription, type Vendor } from './vendor'

/** Brocade and Ruckus ICX: FOUNDRY-SN-AGENT-MIB. Temperatures come in half degrees. */
const brocade: Vendor = {
  name: 'Brocade',
  enterprises: ['1991'],
  roles: [{ role: 'switch' }],
  facts: {
    model: [
      fromDescription(/\b((?:ICX|FCX|FLS|FWS|FGS|FESX|SX|TurboIron|MLXe?|CES|CER|XMR)[\s-]?\d[\w-]*)/i),
      fromDescription(/\b((?:ICX|FCX|FLS|FWS|FGS|FESX|TurboIron|NetIron (?:CES|CER|MLX|XMR)\w*)[\w-]*)/i),
    ],
    serial: [at('1991.1.1.1.1.2.0')],
    firmware: [at('1991.1.1.2.1.11.0'), fromDescription(/IronWare Version\s+(\S+)/i)],
  },
  health: {
    cpuPercent: [at('1991.1.1.2.1.52.0'), at('1991.1.1.2.1.35.0')],
    memoryTotalBytes: [at('1991.1.1.2.1.54.0')],
    memoryFreeBytes: [at('1991.1.1.2.1.55.0')],
    temperatureCelsius: [
      at('1991.1.1.1.1.18.0', { times: 0.5 }),
      at('1991.1.1.2.13.1.1.4', { pick: 'max', times: 0.5 }),
    ],
  },
  lists: {
    fans: [
      {
        name: 'snChasFan2Table',
        entry: '1991.1.1.1.3.2.1',
        fields: { name: { column: 3 }, state: { column: 4, means: { 2: 'ok', 3: 'failed' } } },
      },
      {
        name: 'snChasFanTable',
        entry: '1991.1.1.1.3.1.1',
        fields: { name: { column: 2 }, state: { column: 3, means: { 2: 'ok', 3: 'failed' } } },
      },
    ],
    powerSupplies: [
      {
        name: 'snChasPwrSupply2Table',
        entry: '1991.1.1.1.2.2.1',
        fields: { name: { column: 3 }, state: { column: 4, means: { 2: 'ok', 3: 'failed' } } },
      },
      {
        name: 'snChasPwrSupplyTable',
        entry: '1991.1.1.1.2.1.1',
        fields: { name: { column: 2 }, state: { column: 3, means: { 2: 'ok', 3: 'failed' } } },
      },
    ],
  },
}

export const brocadeRows: readonly Vendor[] = [brocade]
