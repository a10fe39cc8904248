// What the hardware of a device tells of itself.

/**
 * What a port does about power. Without power: it finds no device to feed, is switched off, or tests itself. `overload`:
 * the device draws more than the port gives; `throttled`: the switch has no power left to give, `throttled24v` of a
 * passive 24 V port; `errdisable`: shut by any other fault.
 */
export const poeStates = [
  ...(['delivering', 'searching', 'disabled', 'test'] as const),
  ...(['overload', 'throttled', 'throttled24v', 'errdisable'] as const),
] as const
export type PoeState = (typeof poeStates)[number]

/** A physical port on the front of the device, in panel order. */
export type Port = {
  /** 1-based place on the panel. */
  number: number
  /** Key of its interface. */
  interface: string
  label: string
  media?: 'copper' | 'fibre'
  /** Port VLAN (PVID), 0-4093, and the tagged ones. */
  nativeVlan?: number
  taggedVlans?: number[]
  /** What of the device's own configuration sets it; absent where nothing does, or it is not known. */
  configuredBy?: string
  poe?: {
    enabled?: boolean
    state?: PoeState
    class?: number
    watts?: number
  }
}

export type Health = {
  cpuPercent?: number
  load1?: number
  memoryTotalBytes?: number
  memoryUsedBytes?: number
  /** Where the device tells the share alone, without bytes. */
  memoryUsedPercent?: number
  storageTotalBytes?: number
  storageUsedBytes?: number
  temperatureCelsius?: number
}

/** How a part of the hardware does; `absent`: its slot is empty. */
export type PartState = 'ok' | 'warning' | 'failed' | 'off' | 'absent'
/** Without a name of its own a part is called by its place in the list. `percent`: of its full speed. */
export type Fan = { name?: string; rpm?: number; percent?: number; state?: PartState }
export type PowerSupply = { name?: string; model?: string; state?: PartState; watts?: number }
export type TemperatureSensor = { name?: string; celsius: number }
