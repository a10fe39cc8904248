// What a vendor's own tables tell, in the words of its MIB: which table, and where each field of a row is found.

/** Where one field of a row comes from. A value that is not of the field's kind, or out of its bounds, is absent. */
export type Cell = {
  /**
   * A number: that column of the table. A text: a column of another table with the same index, below 1.3.6.1.4.1 (a whole
   * identifier where it begins with `1.`); in `scalars` a scalar, which ends in `.0`.
   */
  column?: number | string
  /** With another table's column: all of its cells whose index begins with the row's own, added up. */
  sum?: true
  /** Instead of a column: the row's index from this number on, the first is 0 and −1 is the last. */
  index?: number
  /** How many numbers of the index: 1; 6 are a MAC, 4 an IPv4 address; 0: all the rest. */
  numbers?: number
  /** The first group of the text. */
  pattern?: RegExp
  /** Factor to the unit of the field. */
  times?: number
  /** 0 means that there is no reading. */
  skipZero?: true
  /** What the MIB's numbers or texts mean in the field's words; one that is not named here is absent. */
  means?: Readonly<Record<string, string | boolean>>
}

/** Rows of a table. A row without any value but its name, or its `only` unmet, is none. */
export type VendorTable<Field extends string> = {
  /** The MIB's own name of it: shown where reading it fails. */
  name: string
  /** Its entry, below 1.3.6.1.4.1. */
  entry: string
  /** Several cells: the first that tells. */
  fields: { readonly [F in Field]?: Cell | readonly Cell[] }
  /** Only rows with one of the device's own MACs in their index, from this number on: in tables of a whole cluster. */
  own?: number
  /** Rows whose cell is none of these numbers or texts are left out. */
  only?: Cell & { is: readonly (number | string)[] }
  /** None of its rows count where this scalar, below 1.3.6.1.4.1, is one of these numbers: a mode in which they mean another. */
  unless?: { scalar: string; is: readonly number[] }
  /** Most rows, 10,000 where nothing else is said. */
  rows?: number
}

/** The same of single variables: one row for each. */
export type VendorScalars<Field extends string> = {
  scalars: readonly { name?: string; fields: { readonly [F in Field]?: Cell } }[]
}

type List<Field extends string> = readonly (VendorTable<Field> | VendorScalars<Field>)[]

/**
 * Each list by what its fields are called; where several tables are named the first that has rows is told. Fields:
 * - `state` of a part: `ok`, `warning`, `failed`, `off`, `absent` (PartState); of an access point `online`, `offline`,
 *   `pending`; of a PoE port `delivering`, `searching`, `disabled`, `fault`, `test`, `other`. By `means`.
 * - `up`, `enabled`: by `means`, or TruthValue: 1 is true, 2 and 0 are false.
 * - `rpm`, `percent`, `watts`, `celsius`, `channel`, `widthMhz`, `txPowerDbm`, `noiseDbm`, `signalDbm`, `clients`,
 *   `connectedSeconds`, `rxRate`, `txRate` (bit/s), `rxBytes`, `txBytes` (what the access point received and sent): numbers.
 * - `frequency` (MHz) of a radio tells band and channel where those are not told; `band`: `2g`, `5g`, `6g` by `means`.
 * - `key`: what other rows name it by; the row's index where it is not given. A BSS names its `radio` and a station its
 *   `bss` by these keys; a station's `ssid` comes from its BSS where it is not given.
 * - `mac`, `bssid`: six bytes, their text, or six numbers of the index. `address`: IpAddress, bytes, text or four numbers.
 * - `port`: of a PoE or VLAN row, the row's index where it is not given; how it counts is said by `ports` below.
 * - `tagged`, `untagged` of a VLAN: a PortList of bytes, or text as `1/0/1-4,1/0/9`; `id`: the VLAN's number.
 */
export type VendorLists = {
  fans?: List<'name' | 'rpm' | 'percent' | 'state'>
  powerSupplies?: List<'name' | 'model' | 'state' | 'watts'>
  temperatures?: List<'name' | 'celsius'>
  accessPoints?: List<'name' | 'mac' | 'model' | 'serial' | 'firmware' | 'address' | 'state' | 'clients'>
  radios?: List<
    | 'key'
    | 'name'
    | 'band'
    | 'frequency'
    | 'channel'
    | 'widthMhz'
    | 'txPowerDbm'
    | 'noiseDbm'
    | 'utilizationPercent'
    | 'country'
    | 'up'
  >
  bss?: List<'key' | 'radio' | 'ssid' | 'bssid' | 'interface' | 'up' | 'clients'>
  stations?: List<
    'mac' | 'bss' | 'ssid' | 'signalDbm' | 'rxRate' | 'txRate' | 'rxBytes' | 'txBytes' | 'connectedSeconds'
  >
  poePorts?: List<'port' | 'enabled' | 'state' | 'class' | 'watts'>
  vlans?: List<'id' | 'name' | 'tagged' | 'untagged'>
  portVlans?: List<'port' | 'pvid'>
  /** The forwarding table, where it tells VLANs that the standard's does not; `port` is an ifIndex. */
  learned?: List<'mac' | 'id' | 'port'>
  /**
   * How `port` counts: `ifIndex`, or `place` (the standard's way: the socket whose name ends with that number, then the
   * bridge port, then the ifIndex). Absent: `place`.
   */
  ports?: 'ifIndex' | 'place'
}
