// Settings of the manager itself and of an organization: saved, checked, told, undone; and brought along from earlier versions.
import { eq, inArray } from 'drizzle-orm'
import { changelog, mails, notices, settings } from '@/db/schema'
import { codes } from '@/model/codes'
import { localeShown } from '@/model/locales'
import { ownSettings } from '@/server/door/own-settings'
import { dropRows } from '@/server/kernel/belonging'
import { readGeneral } from '@/server/kernel/general'
import { moveFormer } from '@/server/kernel/own-settings'
import { readMailServer } from '@/server/mail/server'
import { startBackups } from '@/server/manager/backups/schedule'
import { storedPassphrase } from '@/server/manager/backups/service'
import { allBelongings } from '@/server/manager/belongings/all'
import { readDirectory } from '@/server/people/federation/ldap/directory'
import { directoryEnabled } from '@/server/people/federation/ldap/enabled'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { organization, person } from '../_people'

let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager({ starters: [startBackups] })
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const must = async (path: string, body: object = {}, who = browser) => {
  const answer = await who.post(path, body)
  expect([path, answer.retCode, answer.data]).toEqual([path, 0, expect.anything()])
  return answer.data
}
type View = { values: Record<string, unknown>; revision: number; damaged?: object }
const get = async (path: string) => (await must(path)) as View
/** Saves what is set with some fields changed. */
async function change(kind: string, fields: object, who = browser) {
  const paths = kind === 'general' ? 'system-settings' : `settings/${kind}`
  const { values, revision } = await get(`${paths}/get`)
  return who.post(`${paths}/save`, { ...values, ...fields, revision })
}
const rowOf = (kind: string) =>
  manager.runtime.db
    .select()
    .from(settings)
    .where(eq(settings.key, `manager:${kind}`))
    .get()
const rowAt = (key: string) => manager.runtime.db.select().from(settings).where(eq(settings.key, key)).get()?.value
const entries = (object: string) =>
  manager.runtime.db.select().from(changelog).where(eq(changelog.object, object)).orderBy(changelog.id).all()
/** What an earlier version kept under a key, with nothing set in today's place. */
function formerly(key: string, value: object, kind: string): void {
  const { db } = manager.runtime
  db.delete(settings)
    .where(inArray(settings.key, [key, `manager:${kind}`]))
    .run()
  db.insert(settings)
    .values({ key, value: JSON.stringify(value) })
    .run()
}
const upgrade = () => moveFormer(manager.runtime, Object.values(ownSettings))

test.each(['directory', 'saml'])('nobody signs in by a %s that was never set up', async kind => {
  expect((await get(`settings/${kind}/get`)).values.enabled).toBe(false)
})

test('a directory that was turned on holds that itself, whatever a new one begins with', async () => {
  const directory = { host: 'ldap.example.test', base: 'dc=x', filter: '(uid={name})', accountAttribute: 'uid' }
  await must('ldap/save', { ...directory, enabled: true })
  expect(JSON.parse(JSON.parse(rowAt('manager:directory') ?? '').data).enabled).toBe(true)
  expect(directoryEnabled(manager.runtime.db)).toBe(true)
})

describe('general settings', () => {
  test('the setup writes them, and they can be changed', async () => {
    expect(await get('system-settings/get')).toEqual({
      values: { name: 'Harbour House', country: 'PT', timezone: 'Europe/Lisbon', language: 'en' },
      revision: 1,
    })
    expect((await change('general', { name: 'Quay', country: 'JP' })).data).toEqual({ revision: 2 })
    expect((await get('system-settings/get')).values).toMatchObject({ name: 'Quay', country: 'JP', language: 'en' })
  })

  test('the name is told wherever the manager is named', async () => {
    await change('general', { name: 'Quay' })
    expect((await manager.browser().post('init-info')).data).toMatchObject({ name: 'Quay' })
  })

  test('backups are made by the new time zone at once', async () => {
    const schedule = { frequency: 'daily', time: '02:30', storageLimitMb: 100, history: false }
    await must('backups/schedule', schedule)
    for (const timeZone of ['Asia/Kolkata', 'Pacific/Marquesas']) {
      expect((await change('general', { timezone: timeZone })).retCode).toBe(0)
      const { next, timezone } = (await must('backups/list')) as { next: number; timezone: string }
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
      expect([timezone, clock.format(next)]).toEqual([timeZone, '02:30'])
    }
  })

  test('a new network is proposed where the manager is', async () => {
    await change('general', { country: 'JP', timezone: 'Asia/Tokyo' })
    expect((await must('networks/options')).newNetwork).toEqual({ country: 'JP', timezone: 'Asia/Tokyo' })
  })

  test('who chose no language is met in the manager’s: before the sign-in, and in letters', async () => {
    await change('general', { language: 'pt' })
    const stranger = manager.browser()
    expect((await stranger.post('language/get')).data.current).toBe('pt')
    expect(localeShown(readGeneral(manager.runtime.db).language)).toBe('en')
    await must('system-settings/smtp/save', {
      ...{ host: '127.0.0.1', port: 9, security: 'none', from: 'nms@example.test' },
      publicUrl: 'https://nms.example.test',
    })
    const invited = { account: 'ana2', email: 'ana@example.test', role: 'guestEditor', networks: [1] }
    await must('users/add', invited)
    expect(manager.runtime.db.select({ locale: mails.locale }).from(mails).all()).toEqual([{ locale: 'pt' }])
  })

  test('what is wrong is told at its fields, all at once, and changes nothing', async () => {
    const before = rowOf('general')
    const answer = await change('general', { name: ' ', country: 'XX', timezone: 'Mars/Base', odd: 1 })
    expect(answer.data.fields).toEqual({
      ...{ name: 'required', country: 'notAllowed', timezone: 'notAllowed', odd: 'unknownField' },
    })
    const { values } = await get('system-settings/get')
    expect((await browser.post('system-settings/save', values)).data.fields).toEqual({ revision: 'required' })
    expect((await browser.post('system-settings/save', { ...values, odd: 1 })).data.fields).toEqual({
      ...{ odd: 'unknownField', revision: 'required' },
    })
    expect(rowOf('general')).toEqual(before)
  })

  test('a stale revision is refused with what is stored now', async () => {
    const { values } = await get('system-settings/get')
    await change('general', { name: 'Quay' })
    const stale = await browser.post('system-settings/save', { ...values, revision: 1 })
    expect(stale.retCode).toBe(codes.staleRevision)
    expect(stale.data.current).toMatchObject({ values: { name: 'Quay' }, revision: 2 })
  })

  test('the changelog tells before and after, and undoes it, with its effects', async () => {
    await change('general', { name: 'Quay', timezone: 'Asia/Kolkata' })
    const [entry] = entries('general')
    expect(entry).toMatchObject({ action: 'edit', name: 'Quay', document: 'manager:general' })
    expect(JSON.parse(entry?.fields ?? '')).toEqual({
      name: ['Harbour House', 'Quay'],
      timezone: ['Europe/Lisbon', 'Asia/Kolkata'],
    })
    await must('changelog/revert', { id: entry?.id })
    expect((await get('system-settings/get')).values).toMatchObject({
      name: 'Harbour House',
      timezone: 'Europe/Lisbon',
    })
    expect(entries('general').map(one => one.action)).toEqual(['edit', 'revert'])
    await change('general', { name: 'Pier' })
    const again = await browser.post('changelog/revert', { id: entry?.id })
    expect(again.data).toMatchObject({ reason: 'changedLater' })
  })

  test('who only reads the manager reads them; nobody of another company does', async () => {
    const reader = await person(manager, { role: 'platformAdministrator' })
    expect((await reader.post('system-settings/get')).retCode).toBe(0)
    expect((await change('general', { name: 'Mine' }, reader)).retCode).toBe(codes.noAuthority)
    const guest = await person(manager, {
      role: 'superAdministrator',
      organization: organization(manager, 'Elsewhere'),
    })
    for (const verb of ['get', 'save'])
      expect((await guest.post(`system-settings/${verb}`)).retCode).toBe(codes.noAuthority)
  })

  test('a damaged value is told with what is wrong, never dropped, and can be mended', async () => {
    const data = JSON.stringify({ name: 'Quay', country: 'XX', timezone: 'UTC', language: 'en' })
    const value = JSON.stringify({ ...JSON.parse(rowOf('general')?.value ?? ''), data })
    manager.runtime.db.update(settings).set({ value }).where(eq(settings.key, 'manager:general')).run()
    expect(await get('system-settings/get')).toMatchObject({ damaged: { country: 'notAllowed' }, revision: 1 })
    expect((await change('general', { name: 'Quay', country: 'PT' })).retCode).toBe(0)
    expect(await get('system-settings/get')).toMatchObject({ values: { name: 'Quay' }, revision: 2 })
  })

  test('those of an earlier version are found', async () => {
    formerly('manager', { name: 'Old house', country: 'SE', timezone: 'Europe/Stockholm', language: 'en' }, 'general')
    upgrade()
    expect(await get('system-settings/get')).toEqual({
      values: { name: 'Old house', country: 'SE', timezone: 'Europe/Stockholm', language: 'en' },
      revision: 1,
    })
    upgrade()
    expect((await get('system-settings/get')).revision).toBe(1)
  })
})

describe('secrets', () => {
  const server = {
    ...{ security: 'none', host: '127.0.0.1', port: 25, user: 'nms', from: 'nms@example.test' },
    ...{ password: 'mail-Secret-1', publicUrl: 'https://nms.example.test' },
  }
  const stored = () => JSON.stringify(manager.runtime.db.select().from(settings).all())
  const password = () => readMailServer(manager.runtime)?.password

  test('are sealed for their place, masked in every answer, and kept when they come back as set', async () => {
    expect((await browser.post('settings/mailServer/save', { ...server, revision: 0 })).data).toEqual({ revision: 1 })
    const view = await get('settings/mailServer/get')
    expect(view).toMatchObject({ values: { host: '127.0.0.1', password: { set: true } }, revision: 1 })
    expect((await change('mailServer', { fromName: 'Quay' })).retCode).toBe(0)
    expect(password()).toBe('mail-Secret-1')
    const log = JSON.stringify(manager.runtime.db.select().from(changelog).all())
    for (const text of [JSON.stringify(view), stored(), log]) expect(text).not.toContain('mail-Secret-1')
    const { data } = JSON.parse(rowOf('mailServer')?.value ?? '{}') as { data: string }
    const { password: sealed } = JSON.parse(data) as { password: string }
    const open = (place: string) => manager.runtime.secrets.open(sealed, place)
    expect(open('documents:manager:mailServer:password')).toBe('mail-Secret-1')
    expect(() => open('documents:manager:directory:password')).toThrow()
  })

  test('are asked for again where they would go elsewhere, and not taken over plain http', async () => {
    await must('settings/mailServer/save', { ...server, revision: 0 })
    expect((await change('mailServer', { host: 'evil.example.test' })).data.fields).toEqual({ password: 'typeAgain' })
    expect((await change('mailServer', { user: '', password: undefined })).retCode).toBe(0)
    expect(password()).toBeUndefined()
    const plain = { 'x-forwarded-proto': 'http' }
    browser.cookies.set('next-auth.session-token', browser.cookies.get('__Secure-next-auth.session-token') ?? '')
    const answer = await browser.post('settings/mailServer/save', { ...server, revision: 2 }, plain)
    expect(answer.retCode).toBe(codes.secureOnly)
  })

  test('a change is undone with the secret as it was; removed settings come back whole', async () => {
    await must('settings/mailServer/save', { ...server, revision: 0 })
    await change('mailServer', { host: '127.0.0.2', password: 'mail-Secret-2' })
    await must('system-settings/smtp/delete')
    expect(await get('settings/mailServer/get')).toMatchObject({ revision: 3 })
    const [added, edited, deleted] = entries('mailServer')
    expect([added?.action, edited?.action, deleted?.action]).toEqual(['add', 'edit', 'delete'])
    await must('changelog/revert', { id: deleted?.id })
    expect([readMailServer(manager.runtime)?.host, password()]).toEqual(['127.0.0.2', 'mail-Secret-2'])
    const again = entries('mailServer').at(-1)
    await must('changelog/revert', { id: again?.id })
    await must('changelog/revert', { id: entries('mailServer').at(-1)?.id })
    const back = await browser.post('changelog/revert', { id: edited?.id })
    expect(back.data).toMatchObject({ reason: 'changedLater' })
  })

  test('what was changed last comes back with its secret', async () => {
    await must('settings/mailServer/save', { ...server, revision: 0 })
    await change('mailServer', { host: '127.0.0.2', password: 'mail-Secret-2' })
    await must('changelog/revert', { id: entries('mailServer').at(-1)?.id })
    expect([readMailServer(manager.runtime)?.host, password()]).toEqual(['127.0.0.1', 'mail-Secret-1'])
  })
})

describe('of an organization', () => {
  let beta: number
  let head: Browser
  beforeEach(async () => {
    beta = organization(manager, 'Beta')
    head = await person(manager, { role: 'superAdministrator', organization: beta })
  })

  test('each has its own, and they go with it', async () => {
    await must('system-settings/smtp/save', {
      ...{ host: '127.0.0.1', port: 9, security: 'none', from: 'nms@example.test' },
      publicUrl: 'https://nms.example.test',
    })
    const mine = { mode: 'mail', level: '10', to: ['ops@example.test'] }
    await must('settings/notices/save', { ...mine, revision: 0 })
    await must('settings/notices/save', { mode: 'mail', to: ['beta@example.test'], revision: 0 }, head)
    expect((await get('settings/notices/get')).values).toEqual(mine)
    expect((await must('alerts/notice/query', {}, head)).mail).toEqual({ to: ['beta@example.test'] })
    expect(JSON.stringify(await must('changelog/list'))).not.toContain('beta@example.test')
    dropRows(allBelongings, manager.runtime.db, 'organization', [beta])
    expect((await must('alerts/notice/query', {}, head)).mode).toBe('off')
    expect((await get('settings/notices/get')).values).toEqual(mine)
  })

  test('rules of the whole manager are the host’s to set, by whatever call', async () => {
    const rules = (await must('settings/security/get', {}, head)).values as object
    const answer = await head.post('settings/security/save', { ...rules, forceMfa: true, revision: 0 })
    expect(answer.retCode).toBe(codes.noAuthority)
    expect((await must('account/security/get')).forceMfa).toBe(false)
  })
})

describe('what an earlier version kept is read, and kept anew', () => {
  const sealed = (value: object, place: string) => manager.runtime.secrets.seal(JSON.stringify(value), place)

  test('the mail server, also one of before there were links', async () => {
    const old = {
      ...{
        host: 'mail.example.test',
        port: 465,
        security: 'tls',
        verify: false,
        user: 'nms',
        from: 'nms@example.test',
      },
      ...{ fromName: '', replyTo: '', publicUrl: '', password: 'mail-Secret-1' },
    }
    const last = { at: 5, ok: true, error: '' }
    formerly('mail', { sealed: sealed(old, 'settings:mail:sealed'), last }, 'mailServer')
    upgrade()
    const { server, last: kept } = await must('system-settings/smtp')
    expect([server, kept]).toEqual([{ ...old, password: { set: true } }, last])
    expect(readMailServer(manager.runtime)?.password).toBe('mail-Secret-1')
  })

  test('what does not open stays where it is, and hinders nothing else', async () => {
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined)
    formerly('mail', { sealed: 'v1.under.another.key' }, 'mailServer')
    formerly('api', { enabled: true }, 'api')
    upgrade()
    expect(JSON.parse(rowAt('mail') ?? '{}')).toEqual({ sealed: 'v1.under.another.key' })
    expect((await get('settings/api/get')).values).toEqual({ enabled: true, presence: false })
    expect(told).toHaveBeenCalledWith(expect.stringContaining('mailServer'), expect.anything())
    told.mockRestore()
  })

  test('the directory', async () => {
    const old = {
      ...{ enabled: true, host: 'ldap.example.test', port: 389, security: 'starttls', ca: '', bindDn: 'cn=x' },
      ...{ base: 'dc=x', filter: '(uid={name})', accountAttribute: 'uid', nameAttribute: '', emailAttribute: 'mail' },
      ...{ roleAttribute: '', groupBase: '', groupFilter: '(member={dn})', bindPassword: 'bind-Secret-1' },
    }
    formerly('directory', { enabled: true, sealed: sealed(old, 'settings:directory:sealed') }, 'directory')
    upgrade()
    expect((await must('ldap/get')).directory).toEqual({ ...old, bindPassword: { set: true } })
    expect(readDirectory(manager.runtime)).toEqual(old)
    expect(directoryEnabled(manager.runtime.db)).toBe(true)
  })

  test('the schedule of backups, and what is known of the last one', async () => {
    const seal = (text: string) => manager.runtime.secrets.seal(text, 'settings:backups:passphrase')
    const lastProven = { name: 'x', at: 5, documents: 1, devices: 2 }
    const old = { schedule: '5 4 * * 3', storageLimitMb: 500, path: '', history: false }
    formerly('backups', { ...old, sealedPassphrase: seal('correct horse'), lastProven }, 'backupSchedule')
    upgrade()
    const { schedule, lastProven: kept } = await must('backups/list')
    expect(schedule).toEqual({
      ...{ frequency: 'weekly', time: '04:05', weekday: 3, storageLimitMb: 500, path: '', history: false },
      passphrase: { set: true },
    })
    expect(kept).toEqual({ ...lastProven, portable: false })
    expect(storedPassphrase(manager.runtime)).toBe('correct horse')
  })

  test('the notices of each organization, and which alerts letters told of', async () => {
    const beta = organization(manager, 'Beta')
    const old = { mode: 'mail', level: 10, mail: { to: ['ops@example.test'] } }
    manager.runtime.db
      .insert(notices)
      .values({ organization: beta, sealed: sealed(old, `notices:${beta}:sealed`), mailed: 7 })
      .run()
    upgrade()
    const head = await person(manager, { role: 'superAdministrator', organization: beta })
    expect(await must('alerts/notice/query', {}, head)).toMatchObject(old)
    expect(manager.runtime.db.select().from(notices).all()).toEqual([{ organization: beta, sealed: '', mailed: 7 }])
  })

  test.each([
    ['security', 'security', { sessionTimeout: 30, passwordNoticeDays: 0, syncTimeouts: false, forceMfa: true }],
    ['syslog', 'syslog', { protocol: 'udp', host: '10.1.2.3', port: 5514 }],
    ['api', 'api', { enabled: true }],
    ['feedback', 'feedbackAddress', { address: 'help@example.test' }],
    ['webhooks', 'webhookSegments', { segments: ['10.1.2.0/24'] }],
  ])('%s', async (key, kind, values) => {
    formerly(key, { ...values, ...(key === 'syslog' && { sent: 4, headAt: 5 }) }, kind)
    upgrade()
    expect(await get(`settings/${kind}/get`)).toMatchObject({ values, revision: 1 })
    if (key === 'syslog') expect(JSON.parse(rowAt('syslog') ?? '{}')).toMatchObject({ sent: 4, headAt: 5 })
    else expect(rowAt(key)).toBeUndefined()
  })
})
