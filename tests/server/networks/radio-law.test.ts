// What is set for radios is held against the law of where they stand.
import { networks } from '@/db/schema'
import manager from '@/locales/en/manager.json'
import wizard from '@/locales/en/wizard.json'
import { codes } from '@/model/codes'
import { airProblems } from '@/server/networks/settings/air-problems'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

const germany = { country: 'DE' }
const wrong = (own: object, inherited: object = {}, network = germany) =>
  airProblems(network, { ...own }, { ...inherited, ...own })

test.each([
  [{ channel2g: 13, channel5g: 36, channel6g: 37 }, {}],
  [{ channel5g: 144 }, { channel5g: 'channelForbidden' }],
  // Automatic, and what is no channel anywhere: that has a rule of its own.
  [{ channel2g: 0, channel5g: 37 }, {}],
  [{ channel2g: 13, country: 'US' }, { channel2g: 'channelForbidden' }],
  [{ channel6g: 37, country: 'US' }, { channel6g: 'bandForbidden' }],
  [{ power2g: 20 }, {}],
  [{ power2g: 21 }, { power2g: 'powerForbidden' }],
  // As much as the best of them, where the radio chooses.
  [{ power5g: 26 }, {}],
  [{ power5g: 26, channel5g: 36 }, { power5g: 'powerForbidden' }],
  // Nothing is known of the Falkland Islands.
  [{ channel5g: 144, country: 'FK' }, {}],
])('in Germany %j: %j', (own, fields) => expect(wrong(own).fields).toEqual(fields))

test('what is allowed is told with it', () => {
  expect(wrong({ channel5g: 144 }).values).toEqual({
    channel5g: { country: 'DE', allowed: '36-64, 100-140, 149-165' },
  })
  expect(wrong({ power2g: 21 }).values).toEqual({ power2g: { country: 'DE', max: 20 } })
})

test('what is inherited is judged where it was set, and where the country is', () => {
  expect(wrong({ power2g: 10 }, { channel2g: 13 }, { country: 'US' }).fields).toEqual({})
  expect(wrong({ country: 'US' }, { channel2g: 13 }).fields).toEqual({ channel2g: 'channelForbidden' })
})

test('the setup and the manager’s page say the same of the country', () =>
  expect(wizard.general.countryHelp).toBe(manager.general.fields.country.help))

describe('with a manager', () => {
  let one: Manager
  let browser: Browser
  beforeEach(async () => {
    one = await startTestManager()
    browser = await finishedWizard(one)
    one.runtime.db.update(networks).set(germany).run()
  })
  afterEach(() => one.stop())

  test('a channel that the country forbids is refused at its field, with those it allows, and nothing is saved', async () => {
    const save = (fields: object) => browser.post('settings/radio/save', { scope: {}, revision: 0, ...fields })
    const { retCode, data } = await save({ channel5g: 144, power2g: 30, width2g: '80' })
    expect(retCode).toBe(codes.invalidInput)
    expect(data).toMatchObject({
      fields: { channel5g: 'channelForbidden', power2g: 'powerForbidden', width2g: 'notAllowed' },
      values: { channel5g: { allowed: '36-64, 100-140, 149-165' }, power2g: { max: 20 } },
    })
    expect((await browser.post('settings/radio/get', { scope: {} })).data.revision).toBe(0)
    expect((await save({ channel5g: 140 })).retCode).toBe(0)
  })
})
