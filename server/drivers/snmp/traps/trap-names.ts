// What notifications and the objects they carry are called: standard MIBs, those of Debian's agent, and Cisco's that
// others send, too. A severity is syslog's (RFC 5424); MIBs tell none.

const mib2 = '1.3.6.1.2.1'
const standard = '1.3.6.1.6.3.1.1.5'
const agent = '1.3.6.1.4.1.8072.4.0'
const cisco = '1.3.6.1.4.1.9'

export const linkDown = `${standard}.3`
export const linkUp = `${standard}.4`

const [error, warning, notice, info] = [3, 4, 5, 6] as const

export const traps: Readonly<Record<string, readonly [name: string, severity: number]>> = {
  [`${standard}.1`]: ['coldStart', warning],
  [`${standard}.2`]: ['warmStart', warning],
  [linkDown]: ['linkDown', warning],
  [linkUp]: ['linkUp', notice],
  [`${standard}.5`]: ['authenticationFailure', warning],
  [`${standard}.6`]: ['egpNeighborLoss', warning],
  [`${mib2}.14.16.2.2`]: ['ospfNbrStateChange', notice],
  [`${mib2}.14.16.2.6`]: ['ospfIfAuthFailure', warning],
  [`${mib2}.14.16.2.16`]: ['ospfIfStateChange', notice],
  [`${mib2}.15.0.1`]: ['bgpEstablishedNotification', notice],
  [`${mib2}.15.0.2`]: ['bgpBackwardTransNotification', warning],
  [`${mib2}.15.7.1`]: ['bgpEstablished', notice],
  [`${mib2}.15.7.2`]: ['bgpBackwardTransition', warning],
  [`${mib2}.16.0.1`]: ['risingAlarm', warning],
  [`${mib2}.16.0.2`]: ['fallingAlarm', notice],
  [`${mib2}.17.0.1`]: ['newRoot', warning],
  [`${mib2}.17.0.2`]: ['topologyChange', notice],
  [`${mib2}.33.2.1`]: ['upsTrapOnBattery', error],
  [`${mib2}.33.2.2`]: ['upsTrapTestCompleted', info],
  [`${mib2}.33.2.3`]: ['upsTrapAlarmEntryAdded', error],
  [`${mib2}.33.2.4`]: ['upsTrapAlarmEntryRemoved', notice],
  [`${mib2}.43.18.2.0.1`]: ['printerV2Alert', warning],
  [`${mib2}.47.2.0.1`]: ['entConfigChange', notice],
  [`${mib2}.68.0.1`]: ['vrrpTrapNewMaster', warning],
  [`${mib2}.68.0.2`]: ['vrrpTrapAuthFailure', warning],
  [`${mib2}.88.2.0.1`]: ['mteTriggerFired', warning],
  [`${mib2}.88.2.0.2`]: ['mteTriggerRising', warning],
  [`${mib2}.88.2.0.3`]: ['mteTriggerFalling', notice],
  [`${mib2}.88.2.0.4`]: ['mteTriggerFailure', warning],
  [`${mib2}.105.0.1`]: ['pethPsePortOnOffNotification', notice],
  [`${mib2}.105.0.2`]: ['pethMainPowerUsageOnNotification', warning],
  [`${mib2}.105.0.3`]: ['pethMainPowerUsageOffNotification', notice],
  [`${mib2}.131.0.1`]: ['entStateOperEnabled', notice],
  [`${mib2}.131.0.2`]: ['entStateOperDisabled', warning],
  '1.0.8802.1.1.2.0.0.1': ['lldpRemTablesChange', info],
  '1.0.8802.1.1.2.1.5.4795.0.1': ['lldpXMedTopologyChangeDetected', info],
  [`${agent}.1`]: ['nsNotifyStart', notice],
  [`${agent}.2`]: ['nsNotifyShutdown', notice],
  [`${agent}.3`]: ['nsNotifyRestart', notice],
  [`${cisco}.9.13.3.0.1`]: ['ciscoEnvMonShutdownNotification', error],
  [`${cisco}.9.13.3.0.2`]: ['ciscoEnvMonVoltageNotification', error],
  [`${cisco}.9.13.3.0.3`]: ['ciscoEnvMonTemperatureNotification', error],
  [`${cisco}.9.13.3.0.4`]: ['ciscoEnvMonFanNotification', error],
  [`${cisco}.9.13.3.0.5`]: ['ciscoEnvMonRedundantSupplyNotification', error],
  [`${cisco}.9.41.2.0.1`]: ['clogMessageGenerated', notice],
  [`${cisco}.9.43.2.0.1`]: ['ciscoConfigManEvent', notice],
}

type Words = Readonly<Record<number, string>>
const status: Words = { 1: 'up', 2: 'down', 3: 'testing' }
const operation: Words = { ...status, 4: 'unknown', 5: 'dormant', 6: 'notPresent', 7: 'lowerLayerDown' }
const supply: Words = { 1: 'disabled', 2: 'searching', 3: 'deliveringPower', 4: 'fault', 5: 'test', 6: 'otherFault' }
const peer: Words = { 1: 'idle', 2: 'connect', 3: 'active', 4: 'opensent', 5: 'openconfirm', 6: 'established' }
const sensor: Words = { 1: 'normal', 2: 'warning', 3: 'critical', 4: 'shutdown', 5: 'notPresent', 6: 'notFunctioning' }

/** Objects by their identifiers, without the index; numbers that are words. */
export const objects: Readonly<Record<string, readonly [name: string, words?: Words]>> = {
  [`${mib2}.1.1`]: ['sysDescr'],
  [`${mib2}.1.2`]: ['sysObjectID'],
  [`${mib2}.1.3`]: ['sysUpTime'],
  [`${mib2}.1.4`]: ['sysContact'],
  [`${mib2}.1.5`]: ['sysName'],
  [`${mib2}.1.6`]: ['sysLocation'],
  [`${mib2}.2.2.1.1`]: ['ifIndex'],
  [`${mib2}.2.2.1.2`]: ['ifDescr'],
  [`${mib2}.2.2.1.3`]: ['ifType'],
  [`${mib2}.2.2.1.5`]: ['ifSpeed'],
  [`${mib2}.2.2.1.6`]: ['ifPhysAddress'],
  [`${mib2}.2.2.1.7`]: ['ifAdminStatus', status],
  [`${mib2}.2.2.1.8`]: ['ifOperStatus', operation],
  [`${mib2}.2.2.1.9`]: ['ifLastChange'],
  [`${mib2}.31.1.1.1.1`]: ['ifName'],
  [`${mib2}.31.1.1.1.18`]: ['ifAlias'],
  [`${mib2}.15.3.1.2`]: ['bgpPeerState', peer],
  [`${mib2}.15.3.1.7`]: ['bgpPeerRemoteAddr'],
  [`${mib2}.15.3.1.14`]: ['bgpPeerLastError'],
  [`${mib2}.16.3.1.1.1`]: ['alarmIndex'],
  [`${mib2}.16.3.1.1.3`]: ['alarmVariable'],
  [`${mib2}.16.3.1.1.4`]: ['alarmSampleType', { 1: 'absoluteValue', 2: 'deltaValue' }],
  [`${mib2}.16.3.1.1.5`]: ['alarmValue'],
  [`${mib2}.16.3.1.1.7`]: ['alarmRisingThreshold'],
  [`${mib2}.16.3.1.1.8`]: ['alarmFallingThreshold'],
  [`${mib2}.33.1.2.2`]: ['upsSecondsOnBattery'],
  [`${mib2}.33.1.2.3`]: ['upsEstimatedMinutesRemaining'],
  [`${mib2}.88.2.1.1`]: ['mteHotTrigger'],
  [`${mib2}.88.2.1.2`]: ['mteHotTargetName'],
  [`${mib2}.88.2.1.3`]: ['mteHotContextName'],
  [`${mib2}.88.2.1.4`]: ['mteHotOID'],
  [`${mib2}.88.2.1.5`]: ['mteHotValue'],
  [`${mib2}.105.1.1.1.6`]: ['pethPsePortDetectionStatus', supply],
  [`${mib2}.105.1.3.1.1.4`]: ['pethMainPseConsumptionPower'],
  '1.0.8802.1.1.2.1.2.2': ['lldpStatsRemTablesInserts'],
  '1.0.8802.1.1.2.1.2.3': ['lldpStatsRemTablesDeletes'],
  '1.0.8802.1.1.2.1.2.4': ['lldpStatsRemTablesDrops'],
  '1.0.8802.1.1.2.1.2.5': ['lldpStatsRemTablesAgeouts'],
  '1.3.6.1.6.3.1.1.4.3': ['snmpTrapEnterprise'],
  '1.3.6.1.6.3.18.1.3': ['snmpTrapAddress'],
  [`${cisco}.9.13.1.3.1.2`]: ['ciscoEnvMonTemperatureStatusDescr'],
  [`${cisco}.9.13.1.3.1.3`]: ['ciscoEnvMonTemperatureStatusValue'],
  [`${cisco}.9.13.1.3.1.6`]: ['ciscoEnvMonTemperatureState', sensor],
  [`${cisco}.9.41.1.2.3.1.2`]: ['clogHistFacility'],
  [`${cisco}.9.41.1.2.3.1.3`]: ['clogHistSeverity'],
  [`${cisco}.9.41.1.2.3.1.4`]: ['clogHistMsgName'],
  [`${cisco}.9.41.1.2.3.1.5`]: ['clogHistMsgText'],
  [`${cisco}.9.43.1.1.6.1.3`]: ['ccmHistoryEventCommandSource', { 1: 'commandLine', 2: 'snmp' }],
}
