// What a gateway does by itself while the manager of a house with guests is away.
import { type Client, page } from './_guests'
import { lab, until } from './_lab'
import { type House, portalHouse } from './_portal'

export const state = '/var/lib/lanward-portal'

export const awayHouse = () => portalHouse({ name: 'Guests', methods: ['voucher', 'free'], minutes: 30 })

/** What the gateway has by now. */
export const onGateway = async (file: string) => (await lab.sh('gw', `cat ${state}/${file} 2>/dev/null`)).stdout
export const isListed = async (id: number) => new RegExp(`^v \\S+ ${id} `, 'm').test(await onGateway('list'))
export const listed = (id: number) => until(() => isListed(id))
export const isAway = (guest: Client) =>
  until(async () => (await page(guest)).includes('action="http://192.168.20.1:19543/"'))

type Shown = { id: number; state: number; firstUsedAt: number | null; devices: string[]; secondsLeft: number }
export const voucherOf = async ({ owner }: House, { groupId }: { groupId: number }) =>
  ((await owner.must('vouchers/list', { groupId })).result as Shown[])[0]
