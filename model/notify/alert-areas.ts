import { type SeverityKey, severityKeys } from './catalogue'

/** What a type of alert is about, for whoever chooses how grave it is. */
export type AlertArea = (typeof alertAreas)[number]
export const alertAreas = ['devices', 'ports', 'internet', 'clients', 'changes', 'guests'] as const

const areas: Record<SeverityKey, AlertArea> = {
  'deviceOffline:gateway': 'devices',
  'deviceOffline:other': 'devices',
  deviceRestarted: 'devices',
  cpuHigh: 'devices',
  memoryHigh: 'devices',
  temperatureHigh: 'devices',
  changedOnDevice: 'devices',
  portDown: 'ports',
  portPowerless: 'ports',
  powerLeftOff: 'ports',
  portErrors: 'ports',
  wanOffline: 'internet',
  wanDegraded: 'internet',
  wifiClients: 'clients',
  channelBusy: 'clients',
  clientConnected: 'clients',
  clientDisconnected: 'clients',
  timePolicyFull: 'clients',
  pushReverted: 'changes',
  pushFailed: 'changes',
  guestGuessing: 'guests',
  guestPasswordOver: 'guests',
  guestSmsFailed: 'guests',
  portalUntrusted: 'guests',
}

/** What a network says the severity of, by area, each in the order of the catalogue. */
export const severitiesIn = (area: AlertArea): SeverityKey[] => severityKeys.filter(key => areas[key] === area)
