// A library, because `crypto.subtle` is missing on plain http, where a console in a LAN may well be opened.
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'

/** SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export const sha256Hex = (text: string): string => bytesToHex(sha256(new TextEncoder().encode(text)))

/** What stands for a password on the wire at sign-in: the digest of its NFKC form. */
export const passwordOnWire = (password: string): string => sha256Hex(password.normalize('NFKC'))
