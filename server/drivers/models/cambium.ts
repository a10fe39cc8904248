import { at, fromDescription, type Vendor } from './vendor'

/** cnMatrix: ARICENT-ISS-MIB, ARICENT-POE-MIB (milliwatts); model, serial and version it tells by LLDP-MED as others do. */
const cnmatrix: Vendor = {
  name: 'Cambium',
  enterprises: ['17713.24'],
  roles: [{ role: 'switch' }],
  health: {
    cpuPercent: [at('2076.81.1.68.0')],
    memoryUsedPercent: [at('2076.81.1.73.0')],
    temperatureCelsius: [at('2076.81.1.66.0')],
  },
  lists: {
    poePorts: [
      {
        name: 'fsPethPsePortTable',
        entry: '2076.103.1.3.1',
        fields: { port: { index: -1 }, watts: { column: 5, times: 0.001 } },
      },
    ],
  },
}

/** ePMP (CAMBIUM-PMP80211-MIB): the processor in tenths of a percent. */
const epmp: Vendor = {
  name: 'Cambium',
  enterprises: ['17713.21'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [fromDescription(/\b(ePMP [\w ]*\d\w*)/)],
    serial: [at('17713.21.1.1.31.0')],
    firmware: [at('17713.21.1.1.1.0')],
  },
  health: {
    cpuPercent: [at('17713.21.2.1.64.0', { times: 0.1 })],
    wirelessClients: [at('17713.21.1.2.10.0')],
  },
  lists: { radios: [{ scalars: [{ name: 'radio 1', fields: { frequency: { column: '17713.21.1.2.1.0' } } }] }] },
}

const point = (column: number, pattern?: RegExp) => at(`17713.22.1.1.1.${column}`, { pick: 'first', pattern })

/** cnPilot E and cnMaestro's Wi-Fi 6 access points (CAMBIUM-MIB): their own row is the only one. */
const cnpilot: Vendor = {
  name: 'Cambium',
  enterprises: ['17713.22'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [point(5), fromDescription(/\b(cnPilot \w+)/i)],
    serial: [point(4)],
    firmware: [point(8)],
    hardware: [point(10)],
  },
  health: { cpuPercent: [point(6)], wirelessClients: [point(14)] },
  lists: {
    radios: [
      {
        name: 'cambiumRadioTable',
        entry: '17713.22.1.2.1',
        fields: {
          band: { column: 3, pattern: /^([256])/, means: { 2: '2g', 5: '5g', 6: '6g' } },
          channel: { column: 6, pattern: /^(\d+)/ },
          widthMhz: { column: 7, pattern: /^(\d+)/ },
          txPowerDbm: { column: 8 },
          up: { column: 13, means: { ON: true, OFF: false } },
          noiseDbm: { column: 16, pattern: /^(-\d+)/ },
        },
      },
    ],
    bss: [{ name: 'cambiumWlanTable', entry: '17713.22.1.4.1', fields: { ssid: { column: 2 } } }],
    stations: [
      {
        name: 'cambiumClientTable',
        entry: '17713.22.1.3.1',
        fields: {
          mac: { column: 2 },
          ssid: { column: 5 },
          bss: { column: 9 },
        },
      },
    ],
  },
}

/** cnPilot R, a router with Wi-Fi, by whatever number. */
const cnpilotRouter: Vendor = {
  name: 'Cambium',
  enterprises: ['8072', '17713', '41010'],
  description: /cnPilot R\d{3}/i,
  roles: [{ role: 'gateway' }],
  facts: {
    model: [fromDescription(/(cnPilot R\d{3}\w*)/i)],
    firmware: [fromDescription(/\b(\d+\.\d+(?:\.\d+)?-R\d+)/)],
  },
}

/** PMP and PTP 450 (WHISP-BOX-MIBV2-MIB, WHISP-APS-MIB). */
const pmp: Vendor = {
  name: 'Cambium',
  enterprises: ['161.19'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [at('161.19.3.3.1.266.0')],
    firmware: [fromDescription(/\b(\d+\.\d\S*)/), at('161.19.3.3.1.1.0', { pattern: /\b(\d+\.\d\S*)/ })],
    hardware: [at('161.19.3.3.1.265.0')],
  },
  health: {
    temperatureCelsius: [at('161.19.3.3.1.35.0')],
    wirelessClients: [at('161.19.3.1.7.1.0')],
  },
}

/** Mimosa backhauls and access points (MIMOSA-NETWORKS-BFIVE-MIB): temperature in tenths. */
const mimosa: Vendor = {
  name: 'Mimosa',
  enterprises: ['43356'],
  roles: [{ role: 'ap' }],
  facts: {
    model: [fromDescription(/^Mimosa (\S+)/)],
    serial: [at('43356.2.1.2.1.2.0')],
    firmware: [at('43356.2.1.2.1.3.0')],
  },
  health: { temperatureCelsius: [at('43356.2.1.2.1.8.0', { times: 0.1 })] },
  lists: {
    radios: [
      {
        name: 'mimosaPtmpChPwrTable',
        entry: '43356.2.1.2.9.3.3.1',
        fields: { frequency: { column: 7 }, txPowerDbm: { column: 10 } },
      },
    ],
  },
}

export const cambiumRows: readonly Vendor[] = [cnmatrix, cnpilot, cnpilotRouter, epmp, mimosa, pmp]
