import { passwordDigest } from '@/server/people/accounts/accounts'
import { type Browser, finishedWizard, owner, startTestManager } from '../server/_manager'
import { percentile, type Row, row } from './table'

const rounds = 60
const wrong = passwordDigest('Wr0ng-Passw!')

/** What any call costs before it does anything: who asks, and in which network; ms of the processor. */
async function emptyCall(browser: Browser): Promise<number> {
  const times = async (count: number) => {
    for (let n = 0; n < count; n++) await browser.post('networks/active')
  }
  await times(500)
  const before = process.cpuUsage()
  await times(2000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / 2000
}

/**
 * What signing in costs with an account that is not there, with a wrong password and with the right one: what the
 * first two differ by, whoever asks could tell who has an account. Each from another address, so that no lock answers. The
 * processor's time counts: what else the machine does would drown it in a clock's.
 */
export async function measureSignIn(): Promise<Row[]> {
  const manager = await startTestManager()
  const call = await emptyCall(await finishedWizard(manager))
  const tries = {
    'no account': (n: number) => ({ userName: `nobody.${n}`, userPwd: wrong }),
    'wrong password': () => ({ userName: owner.account, userPwd: wrong }),
    right: () => ({ userName: owner.account, userPwd: passwordDigest(owner.password) }),
  }
  const taken: Record<keyof typeof tries, number[]> = { 'no account': [], 'wrong password': [], right: [] }
  for (let n = 0; n < rounds; n++)
    for (const [name, input] of Object.entries(tries) as [keyof typeof tries, (n: number) => object][]) {
      const before = process.cpuUsage()
      await manager.browser(`10.${Object.keys(tries).indexOf(name)}.0.${n + 1}`).post('login', input(n))
      const { user, system } = process.cpuUsage(before)
      taken[name].push((user + system) / 1000)
      manager.runtime.sqlite.exec('DELETE FROM sign_in_failures')
    }
  await manager.stop()
  const median = (name: keyof typeof tries) => percentile(taken[name], 0.5)
  const ratio = median('no account') / median('wrong password')
  return [
    row('sign-in: no such account and wrong password apart, processor', Math.max(ratio, 1 / ratio), 'times', 1.1),
    row(
      'sign-in: right password, to a wrong one, processor',
      median('right') / median('wrong password'),
      'times',
      undefined,
    ),
    row('sign-in: right password, processor', median('right'), 'ms', undefined, 0),
    row('a call that does nothing, processor', call, 'ms', undefined),
  ]
}
