import { readFileSync } from 'node:fs'
import { ask } from '../appliance/_manager'
import { type LabManager, lab, until } from '../lab/_lab'
import { owner } from '../server/_manager'

/** The wizard by its calls, with the lab's access point adopted. */
export async function setUpWithAp(one: LabManager): Promise<void> {
  let cookie = ''
  const post = async (path: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'test', ...(cookie && { cookie }) }
    const reply = await ask(`${one.local}/app/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const set = reply.headers['set-cookie']?.map(line => line.split(';')[0]).join('; ')
    if (set) cookie = set
    const answer = JSON.parse(reply.body) as { retCode: number; data: Record<string, unknown> }
    if (answer.retCode !== 0) throw new Error(`${path}: ${reply.body}`)
    return answer.data
  }
  const { addresses, credentials } = await lab.up()
  const { account, password } = owner
  await post('wizard/unlock')
  await post('wizard/general', {
    ...{ step: 'general', name: 'Harbour House', country: 'PT', timezone: 'Europe/Lisbon', language: 'en' },
  })
  await post('wizard/account', { step: 'account', account, email: '', password, repeat: password })
  const { hostKey } = await post('wizard/fingerprint', { address: addresses.ap1 })
  const privateKey = readFileSync(credentials.ssh.keyFile, 'utf8')
  const credential = { type: 'ssh', user: credentials.ssh.user, privateKey }
  await post('wizard/adopt', { devices: [{ address: addresses.ap1, hostKey }], credential })
  await until(async () => JSON.stringify(await post('wizard/discover/result')).includes('"adopted"'))
  await post('wizard/finish')
}
