type Device = { driver: string; kind: string }

/** Over SNMP only ports of switches can be set. */
export const isReadOnly = ({ driver, kind }: Device): boolean => driver === 'snmp' && kind !== 'switch'

/** Whether a setting of this kind can be given to the device at all. */
export const takes = (device: Device, setting: string): boolean =>
  device.driver !== 'snmp' || (!isReadOnly(device) && setting === 'portProfile')
