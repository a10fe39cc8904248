// A house with guests in the lab: a real manager, its portal, and c1 and c2 in VLAN 20 behind a real gateway.
import { readFileSync } from 'node:fs'
import { type Client as Console, clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { web } from './_firewall'
import { type Client, curl, macs, page, type Station } from './_guests'
import { lab, manager, run, until } from './_lab'
import { join, trunkOff, trunkOn } from './_vlan'

export const guestVlan = 20
export const lanFields = {
  ...{ name: 'Guest LAN', vlan: guestVlan, address: '192.168.20.1/24' },
  ...{ poolStart: '192.168.20.100', poolEnd: '192.168.20.150' },
}

export type Saved = { id: string; revision: number }

export async function adoptGateway(owner: Console, name: 'gw' | 'sw2'): Promise<number> {
  const site = await lab.up()
  const address = site.addresses[name]
  const { hostKey } = await owner.must('devices/fingerprint', { address })
  const { user, keyFile } = site.credentials.ssh
  const credential = { type: 'ssh', user, privateKey: readFileSync(keyFile, 'utf8') }
  const { jobId } = await owner.must('devices/adopt', {
    devices: [{ address, credential, hostKey, name }],
  })
  return until(async () => {
    const { items } = await owner.must('devices/adopt/result', { jobId })
    const [item] = items as { state: string; deviceId?: number; failure?: unknown }[]
    if (item?.state === 'failed') throw new Error(JSON.stringify(item.failure))
    return item?.state === 'adopted' && item.deviceId
  })
}

/** The page to which the gateway leads a guest, its address, and what its form sends along. */
export async function led(guest: Station): Promise<{ page: string; url: string; form: [string, string][] }> {
  const text = await until(async () => {
    const { stdout } = await curl(guest, '-m', '20', '-L', '-w', '\n%{url_effective}', web)
    return stdout.includes('/portal/') && stdout
  })
  const at = text.lastIndexOf('\n')
  const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const form = hidden.map(([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')])
  return { page: text.slice(0, at), url: text.slice(at + 1), form }
}

/** Sends the portal's form as a browser without script does; what it answers. */
export async function send(guest: Station, fields: Record<string, string>): Promise<string> {
  const { url, form } = await led(guest)
  const data = [...form, ...Object.entries(fields)].flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])
  return (await curl(guest, '-m', '20', ...data, url.split('?')[0] ?? '')).stdout
}

/** Each way in, within half an hour. */
export const everyWay = {
  ...{ name: 'Guests', methods: ['free', 'simplePassword', 'voucher'], password: 'harbour' },
  ...{ terms: 'Be kind.', landing: 'https://house.example/', minutes: 30 },
}

/** `env`: what the manager is started with besides. */
export async function portalHouse(policy: object, env: Record<string, string> = {}) {
  await lab.up()
  await trunkOn()
  // As a manager whose way out is this gateway.
  await run('ip', ['route', 'replace', '192.168.0.0/16', 'via', '10.77.0.1'])
  const one = await manager({ env: { LANWARD_SETUP_CODE: 'off', ...env } })
  const owner = clientOf(one.local)
  await prepareWizard(owner)
  await owner.must('wizard/finish')
  const gateway = await adoptGateway(owner, 'gw')
  /** The manager has read the gateway: its first round after a start is spread over a minute. */
  const looked = () => until(() => owner.must('devices/sync', { id: gateway }).then(() => true))
  const push = async (device = gateway) => {
    const { jobId } = await owner.must('devices/push', { deviceIds: [device] })
    const ended = await until(async () => {
      const result = await owner.must('devices/push/result', { jobId })
      return result.state !== 'running' && result
    })
    expect(ended.devices).toEqual([expect.objectContaining({ state: 'applied' })])
  }
  const portal = (await owner.must('settings/portal/save', policy)) as Saved
  const assign = { devices: [gateway], groups: [], all: false }
  const lan = (await owner.must('settings/lan/save', { ...lanFields, portal: portal.id, assign })) as Saved
  await push()
  await Promise.all((['c1', 'c2'] as const).map(guest => join(guestVlan, guest)))
  return {
    ...{ one, owner, gateway, push, portal, lan },
    /** What the list of guests says of a MAC address, newest first. */
    async rows(mac: string) {
      const { result } = await owner.must('guests/list', { search: mac })
      return result as {
        id: number
        state: number
        ended: number | null
        why: string
        bytes: number
        voucher: number | null
      }[]
    },
    /** A voucher's code, as it is printed. */
    async voucher(terms: object = {}): Promise<{ groupId: number; id: number; code: string }> {
      const { id: groupId } = await owner.must('vouchers/groups/save', {
        ...{ name: `group ${Math.random()}`, days: 0, hours: 1, minutes: 0, validityDays: 7, quantity: 1, ...terms },
      })
      const { result } = await owner.must('vouchers/list', { groupId })
      const [first] = result as { id: number; code: string }[]
      return { groupId: Number(groupId), id: first?.id ?? 0, code: first?.code ?? '' }
    },
    looked,
    /** Starts the manager again. */
    async restart() {
      await one.restart()
      await looked()
    },
    async end() {
      await one.end()
      await run('ip', ['route', 'del', '192.168.0.0/16'])
      await trunkOff()
    },
  }
}
export type House = Awaited<ReturnType<typeof portalHouse>>

/** How long the gateway's kernel lets a guest in yet. */
export async function secondsOnGateway(guest: Client): Promise<number> {
  const { stdout } = await lab.sh('gw', 'nft -j list set inet lanward_gate in')
  return Number(/"expires": (\d+)/.exec(stdout.slice(stdout.indexOf(macs[guest])))?.[1])
}

/**
 * Of a guest's time five seconds are left: what the gateway wrote down of it is so much older, as after a clock that was
 * set, and its own script for that has told the kernel. Gives by how many seconds.
 */
export async function nearlyOver(guest: Client): Promise<number> {
  const { code, stdout, stderr } = await lab.sh(
    'gw',
    `cd /var/lib/lanward-portal && mac=${macs[guest]}
    end=$(awk -v mac=$mac '$1 == "+" && $3 == mac { end = $NF } END { print end }' guests)
    by=$((end - $(date +%s) - 5))
    awk -v mac=$mac -v by=$by '$1 == "+" && $3 == mac { $NF -= by } { print }' guests >/run/kept && cat /run/kept >guests
    awk -v mac=$mac -v by=$by '$1 == "u" && $3 == mac { $2 -= by } { print }' used >/run/kept && cat /run/kept >used
    sh /etc/lanward-portal/again.sh again && echo $by`,
  )
  if (code !== 0) throw new Error(stderr)
  return Number(stdout)
}

/** The gateway's own form, as a browser without script sends it; what it answers. */
export async function enterHere(guest: Client, code: string, more = ''): Promise<string> {
  const shown = await page(guest)
  const action = /<form method="get" action="([^"]+)"/.exec(shown)?.[1]
  if (!action) throw new Error(`no form of the gateway: ${shown.slice(0, 500)}`)
  return page(guest, `${action}?code=${encodeURIComponent(code)}&method=voucher${more}`)
}
