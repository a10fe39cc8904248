import * as z from 'zod'
import { check } from '@/model/kind'
import { limits } from '@/model/limits'
import { countryCodes, offsetMinutes, presentName, timezoneIds } from '@/model/places'
import { loadKind } from '@/model/registry'
import { startPush } from '@/server/devices/change/push/batch'
import { fleetOf } from '@/server/devices/link/fleet'
import { type Actor, type BaseContext, call } from '@/server/kernel/call'
import { isKept } from '@/server/kernel/documents'
import { fail, requirePrivate } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { applySchedule } from '@/server/manager/backups/schedule'
import { findAccessible, findTransferred } from '@/server/people/access/access'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { hashPassword } from '@/server/people/accounts/passwords'
import { openSession, sessionCookie } from '@/server/people/accounts/sessions'
import { codeFree, enterWizard, inWizard, leaveWizard, requireWizard, wizardOpen } from './access'
import { accountStep, generalStep, readDraft, saveDraft } from './draft'
import { finishWizard, sendsWifi } from './finish'

const open = { tag: 'setup', authority: 'open', scope: 'none' } as const

/** The draft as the page may see it: no hash, no secret. */
function shown(context: BaseContext) {
  const { general, account, devices, ssid, skipped } = readDraft(context.runtime)
  return {
    general,
    account: account && { account: account.account, email: account.email },
    devices: (devices ?? []).map(
      ({ address, name, openLogin, driver, facts: { kind, vendor, model, capabilities } }) => ({
        address,
        name,
        openLogin,
        driver,
        kind,
        model: [vendor, model].filter(Boolean).join(' '),
        wifi: sendsWifi(capabilities),
      }),
    ),
    ssid: ssid && { ...ssid, ...(ssid.key !== undefined && { key: { set: true } }) },
    skipped: skipped ?? [],
  }
}

const initialInfo = call({
  ...open,
  path: 'wizard/initial-info',
  changes: false,
  input: z.strictObject({}),
  run(context) {
    const inside = inWizard(context)
    return {
      finished: !wizardOpen(context),
      /** Whether the setup code must be given before anything else. */
      needsCode: !inside && !codeFree(context),
      entered: inside,
      /** False: a password would travel in clear, so the account step is refused here. */
      secure: context.secure || context.loopback,
      time: context.now,
      timezone: presentName(Intl.DateTimeFormat().resolvedOptions().timeZone),
      draft: inside ? shown(context) : null,
    }
  },
})

const unlock = call({
  ...open,
  path: 'wizard/unlock',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: z.strictObject({ code: z.string().max(64).default('') }),
  run(context, { code }) {
    enterWizard(context, code)
    return { draft: shown(context) }
  },
})

const countries = call({
  ...open,
  path: 'wizard/countries',
  changes: false,
  input: z.strictObject({}),
  run: () => ({ result: countryCodes, total: countryCodes.length }),
})

const timezones = call({
  ...open,
  path: 'wizard/timezones',
  changes: false,
  input: z.strictObject({}),
  run({ now }) {
    const result = timezoneIds().map(timezoneId => ({ timezoneId, offset: offsetMinutes(timezoneId, now) }))
    return { result, total: result.length }
  },
})

const general = call({
  ...open,
  path: 'wizard/general',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: generalStep,
  run(context, { step: _, ...fields }) {
    requireWizard(context)
    saveDraft(context.runtime, { general: fields })
    return shown(context)
  },
})

const account = call({
  ...open,
  path: 'wizard/account',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: accountStep,
  async run(context, input) {
    requireWizard(context)
    requirePrivate(context)
    const password = await hashPassword(passwordDigest(input.password))
    saveDraft(context.runtime, { account: { account: input.account, email: input.email ?? '', password } })
    return shown(context)
  },
})

const ssidStep = call({
  ...open,
  path: 'wizard/ssid',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  // The fields are the ssid kind's own (model/wifi/ssid.ts), judged by its rules.
  input: z.record(z.string(), z.unknown()),
  async run(context, input) {
    requireWizard(context)
    const kept = readDraft(context.runtime).ssid
    const fields = isKept(input.key) ? { ...input, key: kept?.key } : input
    const checked = check(await loadKind('ssid'), fields)
    if (!('data' in checked)) return fail('invalidInput', checked)
    saveDraft(context.runtime, { ssid: fields })
    return shown(context)
  },
})

const skip = call({
  ...open,
  path: 'wizard/skip',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: z.strictObject({ step: z.enum(['devices', 'ssid']) }),
  run(context, { step }) {
    requireWizard(context)
    const { skipped = [] } = readDraft(context.runtime)
    const cleared = step === 'ssid' ? { ssid: undefined } : {}
    saveDraft(context.runtime, { ...cleared, skipped: [...new Set([...skipped, step])] })
    return shown(context)
  },
})

const finish = call({
  ...open,
  path: 'wizard/finish',
  unheard: 'leaves',
  changes: true,
  send: 'once',
  seconds: 120,
  input: z.strictObject({}),
  async run(context) {
    requireWizard(context)
    const made = finishWizard(context, await loadKind('ssid'))
    // Its time zone is known only now.
    applySchedule(context.runtime)
    for (const device of made.devices) fleetOf(context.runtime).upsert(device)
    // Pushing is a job of its own: a push that goes back leaves a finished wizard and the SSID saved.
    const push = made.pushTo.length ? startPush(context.runtime, made.pushTo, made.account.account) : undefined
    const agent = context.request.headers.get('user-agent') ?? ''
    const token = await openSession(context.runtime, made.account, {
      address: context.address,
      agent,
      network: made.network,
    })
    context.setCookie(sessionCookie(context.secure), token)
    leaveWizard(context)
    return {
      networkId: made.network,
      push,
      name: readGeneral(context.runtime.db).name,
    }
  },
})

/** `type`: accepted, as there is one list of each. With a network, or the key of one that is handed over, its own is told. */
const placeInput = z.strictObject({
  type: z.string().max(limits.textCharacters).optional(),
  networkId: z.coerce.number().int().optional(),
  transferKey: z.string().max(limits.textCharacters).optional(),
})

type PlaceInput = z.output<typeof placeInput>

/** The network that is named; undefined where none is. Refuses with 20010 what the asker does not enter. */
function placeOf({ runtime: { db }, actor }: BaseContext & { actor?: Actor }, { networkId, transferKey }: PlaceInput) {
  if (!actor) return undefined
  if (transferKey !== undefined) return findTransferred(db, actor, transferKey)
  return networkId === undefined ? undefined : findAccessible(db, actor, networkId)
}

const allCountries = call({
  path: 'countries',
  tag: 'networks',
  authority: 'session',
  scope: 'none',
  changes: false,
  get: true,
  keys: true,
  input: placeInput,
  /** `current`: the named network's own. */
  async run(context, input) {
    const current = placeOf(context, input)?.country
    return { ...(await countries.run(context, {})), ...(current !== undefined && { current }) }
  },
})
const allTimezones = call({
  path: 'timezones',
  tag: 'networks',
  authority: 'session',
  scope: 'none',
  changes: false,
  get: true,
  keys: true,
  input: placeInput,
  async run(context, input) {
    const current = placeOf(context, input)?.timezone
    return { ...(await timezones.run(context, {})), ...(current !== undefined && { current }) }
  },
})

export const wizardCalls = [
  initialInfo,
  unlock,
  countries,
  timezones,
  general,
  account,
  ssidStep,
  skip,
  finish,
  allCountries,
  allTimezones,
] as const
