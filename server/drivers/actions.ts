import type { Admission, AwayList, AwayState, GuestPlace, GuestUse } from './guests'
import type { KeyList, KeyState } from './keys'
import type { Vantage } from './vantage'

/** What a device does at once, outside of plan and push. */
export type Actions<S> = {
  reboot?(session: S): Promise<void>
  /** Blink for at most `seconds`, from the last time it was asked; the device itself stops it. 0 ends it. */
  locate?(session: S, seconds: number): Promise<void>
  /** Ends a lease of the device's DHCP server: the address is free. Its clients and names wait for a second. */
  releaseLease?(session: S, lease: { mac: string; address: string }): Promise<void>
  /** Puts Wi-Fi clients out; each may join anew at once. Answers those that were there. */
  kick?(session: S, macs: readonly string[]): Promise<string[]>
  /**
   * Power over Ethernet of one port, by its interface's name; proven by what the device says of it afterwards. Rejects with
   * `unsupported` where the port has none, and with `commandFailed` where it is to go off and is off already.
   */
  power?(session: S, port: string, on: boolean): Promise<void>
  /** Writes a key and/or a password for the account the manager uses. */
  setLogin?(session: S, login: { password?: string; publicKey?: string }): Promise<void>
  /** Vouchers that are keys of its Wi-Fi networks; `unsupported`: no network of it takes any. */
  keys?: {
    read(session: S): Promise<KeyState>
    put(session: S, list: KeyList): Promise<void>
    /** These are keys no more, and whoever is in by them is out; the next list says the same. */
    void(session: S, vouchers: readonly number[]): Promise<void>
  }
  /** Looks at the network from the device. */
  vantage?(session: S): Vantage
  /** The gate of the LANs with a portal. Who is in is state, not configuration: outside of plan, difference and drift. */
  guests?: {
    /** Lets these in, or gives who is in these bounds; all at once or none. `unsupported`: no gate, or not of that LAN. */
    admit(session: S, guests: readonly Admission[]): Promise<void>
    /** Ends them and their open connections at once; who is not in is no error. */
    remove(session: S, macs: readonly string[]): Promise<void>
    /** Everybody who is in. */
    list(session: S): Promise<GuestUse[]>
    /** Whose an address is, in or not; undefined where the gateway knows nobody by it behind its gate. */
    at(session: S, address: string): Promise<GuestPlace | undefined>
    /** What it lets in by itself while the manager does not answer, and whom it did. */
    away?: {
      read(session: S): Promise<AwayState>
      put(session: S, list: AwayList): Promise<void>
    }
  }
}
