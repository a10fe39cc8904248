// Settings of the manager itself and of an organization: saved, checked, told, undone; and brought along from earlier versions.
import { eq, inArray } from 'drizzle-orm'
import { changelog, mails, settings } from '@/db/schema'
import { codes } from '@/model/codes'
import { localeShown } from '@/model/locales'
import { startBackups } from '@/server/backups/schedule'
import { readGeneral } from '@/server/kernel/general'
import { moveFormer } from '@/server/kernel/own-settings'
import { ownSettings } from '@/server/own'
import { type Browser, finishedWizard, type Manager, startTestManager } from './_manager'
import { organization, person } from './_people'

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
    expect((await browser.post('system-settings/save', { name: 'Quay' })).data.fields).toEqual({ revision: 'required' })
    expect((await browser.post('system-settings/save', { odd: 1 })).data.fields).toEqual({
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
    const data = '{"name":"Quay","country":"XX"}'
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
