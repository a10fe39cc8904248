/** Paper that vouchers are printed on: A4 to be cut, A4 of labels (70 × 37 mm, 24 a sheet), rolls of 58 and 80 mm. */
export const printFormats = ['a4', 'labels', 'roll58', 'roll80'] as const
export type PrintFormat = (typeof printFormats)[number]

/** Vouchers on a page of A4. */
export const perPage = [8, 18, 32] as const
export type PerPage = (typeof perPage)[number]

/** What the QR code does: enter this voucher, join the Wi-Fi network, or one for each. */
export const qrChoices = ['voucher', 'wifi', 'both', 'none'] as const
export type QrChoice = (typeof qrChoices)[number]

type Paper = { format?: PrintFormat | undefined; perPage: PerPage; qr: QrChoice }
/** Two codes that a phone reads from a hand's breadth: labels and cards of 32 a page are too low for them. */
export const hasRoom = ({ format, perPage, qr }: Paper): boolean =>
  qr !== 'both' || !(format === 'labels' || (format === 'a4' && perPage === 32))

/**
 * Any address that no network has (RFC 5737) over plain http: the guests' gate leads it to the portal, and what is asked for
 * goes along. Elsewhere it leads nowhere, and tells nobody the code.
 */
export const voucherLink = (code: string): string => `http://192.0.2.1/?voucher=${code}`

/** The code of such an address, as it was scanned; undefined for any other. */
export function linkedVoucher(url: string): string | undefined {
  const { host, searchParams } = URL.canParse(url) ? new URL(url) : new URL(voucherLink(''))
  return (host === '192.0.2.1' && searchParams.get('voucher')) || undefined
}
