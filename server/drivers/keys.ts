// Vouchers that are keys of a Wi-Fi network: state of an access point, told and asked beside its configuration.

/** A key that lets in by itself. */
export type VoucherKey = {
  /** Document of the Wi-Fi network. */
  ssid: string
  /** The voucher's number. */
  voucher: number
  /** The pairwise master key, 64 hexadecimal digits: a passphrase would cost the device 4,096 rounds of SHA-1 each. */
  psk: string
  /** Unix seconds by the device's clock: it is over then, whatever is left. */
  end: number
  /** Seconds from its first use; absent: it was used before, and `end` says it all. */
  seconds?: number
  /** Devices at a time; 0: any number. */
  most: number
  /** Of each device, kbit/s; absent: as fast as the network is. */
  down?: number
  up?: number
  /** While the manager is there: those devices alone, which are in on this or other access points. */
  only?: readonly string[]
}

export type KeyList = {
  /** Of what is in it; the device tells it with what it has. */
  digest: string
  keys: readonly VoucherKey[]
  /** First uses that the manager knows of by now. */
  merged: readonly KeyUse[]
}

/** A first use; `at` in Unix seconds by the device's clock. */
export type KeyUse = { at: number; voucher: number; mac: string }
/** One who is in by a key, for so long. */
export type KeyPresence = { mac: string; voucher: number; seconds: number }
/** `digest`: of the list that it has; absent: none. */
export type KeyState = { digest?: string; uses: KeyUse[]; present: KeyPresence[] }
