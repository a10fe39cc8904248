import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts } from '@/db/schema'
import { dateFormats } from '@/model/date-formats'
import { limits } from '@/model/limits'
import { available, localeOf } from '@/model/locales'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { part } from '@/server/kernel/runtime'
import { getSetting } from '@/server/kernel/settings'
import { menuFor } from '@/server/menu/menu'
import { seenNetworks } from '@/server/networks/access'
import { timezone } from '@/server/networks/shapes'
import type { GraphicalCodes } from './graphical-code'
import { closeSession, sessionCookie } from './sessions'
import { signIn } from './sign-in'

const initInfo = call({
  path: 'init-info',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({}),
  run: ({ runtime, now }) => ({
    account_domain: '',
    localDeploy: 1,
    setup_wizard: getSetting(runtime.db, 'wizard').finished ? '1' : '0',
    name: getSetting(runtime.db, 'manager').name,
    /** The manager's clock, unix ms: the wizard compares it with the browser's. */
    time: now,
  }),
})

const loginValid = call({
  path: 'auth/login-valid',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({}),
  run: ({ runtime, now }) => part<GraphicalCodes>(runtime, 'graphicalCodes').issue(now),
})

const yearSeconds = 365 * 86_400
const optionalText = z.string().max(limits.textCharacters).optional()

const login = call({
  path: 'login',
  authority: 'open',
  scope: 'none',
  changes: true,
  input: z.strictObject({
    userName: z.string().trim().min(1, 'required').max(limits.textCharacters),
    userPwd: z.string().regex(/^[0-9a-f]{64}$/, 'invalidFormat'),
    code: optionalText,
    codeToken: optionalText,
    serverId: optionalText,
    checkCode: optionalText,
    lang: optionalText,
    browserDomain: optionalText,
    checkMFACodeFirst: z.union([z.string().max(8), z.boolean(), z.number()]).optional(),
    ssoToken: optionalText,
  }),
  async run(context, input) {
    const account = await signIn(context, input)
    // The next page is drawn by the server in the account's own theme and language.
    context.setCookie('theme', String(account.appearance), { maxAgeSeconds: yearSeconds })
    if (account.locale) context.setCookie('locale', account.locale, { maxAgeSeconds: yearSeconds })
    return {
      url: '',
      isSSO: false,
      showCode: false,
      lockStatus: 0,
      locale: account.locale ?? '',
      appearance: account.appearance,
    }
  },
})

const logout = call({
  path: 'logout',
  authority: 'session',
  scope: 'none',
  changes: true,
  input: z.strictObject({}),
  run({ runtime, actor, secure, clearCookie }) {
    if (actor) closeSession(runtime, actor.session)
    clearCookie(sessionCookie(secure))
    return {}
  },
})

const menu = call({
  path: 'menu',
  authority: 'session',
  scope: 'organization',
  changes: false,
  input: z.strictObject({ network: z.coerce.number().int().optional(), transferKey: optionalText }),
  run: ({ runtime, actor }) => menuFor(runtime, actor),
})

const authority = call({
  path: 'auth/authority',
  authority: 'session',
  scope: 'organization',
  changes: false,
  input: z.strictObject({}),
  run: ({ actor }) => ({ authorities: [...actor.authorities] }),
})

const accountInfo = call({
  path: 'account/info',
  authority: 'session',
  scope: 'organization',
  changes: false,
  input: z.strictObject({}),
  run({ runtime, actor }) {
    const row = runtime.db.select().from(accounts).where(eq(accounts.id, actor.id)).get()
    if (!row) return fail('sessionExpired')
    return {
      username: row.username,
      account: row.account,
      email: row.email ?? '',
      role: row.role,
      register: row.register,
      localDeploy: 1,
      locale: row.locale ?? '',
      timezone: row.timezone ?? getSetting(runtime.db, 'manager').timezone,
      timeFormat: { format: row.dateFormat, hour: row.hours },
      appearance: row.appearance,
      selectNetwork: seenNetworks(runtime.db, actor).map(network => network.id),
      sessionTimeout: getSetting(runtime.db, 'security').sessionTimeout,
    }
  },
})

const accountSave = call({
  path: 'account/save',
  authority: 'session',
  scope: 'organization',
  changes: true,
  input: z.strictObject({
    locale: z.string().max(16).optional(),
    timezone: timezone.optional(),
    timeFormat: z
      .strictObject({ format: z.enum(dateFormats), hour: z.union([z.literal(12), z.literal(24)]) })
      .optional(),
    appearance: z.int().min(0).max(3).optional(),
  }),
  run({ runtime, actor, setCookie }, input) {
    const { timeFormat, ...rest } = input
    if (input.appearance !== undefined) setCookie('theme', String(input.appearance), { maxAgeSeconds: yearSeconds })
    const change = { ...rest, ...(timeFormat && { dateFormat: timeFormat.format, hours: timeFormat.hour }) }
    if (Object.keys(change).length) runtime.db.update(accounts).set(change).where(eq(accounts.id, actor.id)).run()
    return {}
  },
})

const languageGet = call({
  path: 'language/get',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({}),
  run({ runtime, cookie }) {
    const result = available.map(code => ({
      code,
      name: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
    }))
    return { result, total: result.length, current: cookie('locale') ?? getSetting(runtime.db, 'manager').language }
  },
})

const languageSet = call({
  path: 'language/set',
  authority: 'open',
  scope: 'none',
  changes: true,
  input: z.strictObject({
    lang: z
      .string()
      .max(16)
      .transform(localeOf)
      .refine(lang => available.includes(lang), 'notAllowed'),
  }),
  run({ runtime, actor, setCookie }, { lang }) {
    setCookie('locale', lang, { maxAgeSeconds: yearSeconds })
    if (actor) runtime.db.update(accounts).set({ locale: lang }).where(eq(accounts.id, actor.id)).run()
    return { lang }
  },
})

export const accountCalls = [
  initInfo,
  loginValid,
  login,
  logout,
  menu,
  authority,
  accountInfo,
  accountSave,
  languageGet,
  languageSet,
] as const
