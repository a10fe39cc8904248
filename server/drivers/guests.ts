// Who is in as a guest: state of a gateway, told and asked beside its configuration.

/** Lets a device in, or gives one that is in these bounds anew: what it used before counts no more. */
export type Admission = {
  /** Lower case with colons. */
  mac: string
  /** Document of the LAN network that it is in. */
  lan: string
  /** How long it stays at most. */
  seconds: number
  /** It is out as soon as it has sent nothing for so long. */
  idleSeconds: number
  /** In both directions together; absent: any number. */
  bytes?: number
  /** kbit/s; absent: as fast as the network is. */
  download?: number
  upload?: number
}

/** What the gateway says of one that is in. */
export type GuestUse = {
  mac: string
  secondsLeft: number
  /** In both directions together, since it was let in. */
  bytes: number
  /** What it would let through yet; absent: any number, or it does not say. */
  bytesLeft?: number
  /** Since it last sent anything. */
  idleSeconds?: number
  /** IPv4 and IPv6, as the gateway's neighbours. */
  addresses: string[]
}

/** Who has an address now, and in which LAN's document. */
export type GuestPlace = { mac: string; lan: string }

/** Lines of 65 characters that one guess at a code has to digest, some 4 MB: shells have no other slow digest. */
export const slowLines = 65_536

/** What a gateway lets in by while the manager does not answer. */
export type AwayList = {
  /** Of all but what was used; the gateway tells it with what it has. */
  digest: string
  /** Lines of unix/gate-away.ts: portals, and vouchers by keyed hashes. */
  text: string
  /** By which the hashes are made: the network's, and the gateway's own; hexadecimal. */
  keys: readonly [string, string]
  /** Of each LAN's document: HTML with places to fill, and messages by name. */
  pages: readonly { lan: string; entry: string; wrong: string; online: string; say: Readonly<Record<string, string>> }[]
  /** What the manager knows of by now. */
  merged: readonly Pick<AwayUse, 'at' | 'mac'>[]
}

/** A voucher that the gateway accepted by itself. */
export type AwayUse = {
  /** Unix seconds by its clock; of one device never twice. */
  at: number
  mac: string
  address: string
  /** The voucher's number. */
  voucher: number
  lan: string
  /** For how long it let in. */
  seconds: number
  /** Since then; absent: it does not know any more. */
  bytes?: number
}
/** `digest`: of the list that it has; absent: none. */
export type AwayState = { digest?: string; uses: AwayUse[] }
