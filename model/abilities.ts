/** What a device can be given, by its driver and its kind; told with each device, so that nobody asks for a driver's name. */
export type Abilities = {
  /** Which settings: all that its renderers know, the profiles of its ports, or none (then it is only read). */
  settings: 'all' | 'ports' | 'none'
  /** Its existing configuration can be listed and imported. */
  import: boolean
  /** It proves itself by a host key, which is pinned. */
  hostKey: boolean
  /** Its configuration tells which parts are Lanward's; else only what is planned is compared. */
  tellsOwn: boolean
  /** Its radios get the channel that Lanward chose for them where settings say automatic. */
  channels: boolean
  /** A Wi-Fi client of it can be disconnected. */
  kick: boolean
  /** Pings and other looks at the network can be taken from it. */
  diagnose: boolean
}

/** Whether a setting of this kind can be given to the device at all. */
export const takesSetting = ({ settings }: Abilities, kind: string): boolean =>
  settings === 'all' || (settings === 'ports' && kind === 'portProfile')
