import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts, organizations } from '@/db/schema'
import { receivingRoles } from '@/model/authority'
import { dateFormats } from '@/model/date-formats'
import { limits } from '@/model/limits'
import { available, localeOf } from '@/model/locales'
import { accountType, company, postalAddress, userName } from '@/model/users'
import { type Actor, call } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import type { Runtime } from '@/server/kernel/runtime'
import { setup } from '@/server/kernel/setup'
import { id, timezone } from '@/server/kernel/shapes'
import { readMailServer } from '@/server/mail/server'
import { accessibleNetwork, accessibleNetworks, homeNetwork } from '@/server/people/access/access'
import { menuFor } from '@/server/people/access/menu'
import { type AccountRow, roleName } from '@/server/people/accounts/actor'
import { readSecurity } from '@/server/people/accounts/security'
import { timeoutOf } from '@/server/people/accounts/sessions'
import { ownAccount } from './attempts'
import { reading } from './call-terms'
import { yearSeconds } from './sign-in-calls'

const minutes = limits.sessionTimeoutMinutes

/** As the specification's init info. `account_domain`: accounts are of this manager, whatever it is called. */
const initialInfoOf = ({ db }: Runtime) => ({
  account_domain: '',
  localDeploy: 1,
  setup_wizard: setup.read(db).finished ? '1' : '0',
})

/** What holds for everybody of the enterprise. `company`: of the account's own organization. */
function enterpriseOf({ db }: Runtime, actor: Actor) {
  const { forceMfa, syncTimeouts, signUp } = readSecurity(db)
  const own = db.select().from(organizations).where(eq(organizations.id, actor.organization)).get()
  return { company: own?.name ?? '', forceMfa, syncTimeouts, signUp }
}

const initInfo = call({
  path: 'init-info',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({}),
  run: ({ runtime, now }) => ({
    ...initialInfoOf(runtime),
    name: readGeneral(runtime.db).name,
    /** The manager's clock, unix ms: the wizard compares it with the browser's. */
    time: now,
  }),
})

const optionalText = z.string().max(limits.textCharacters).optional()

const menu = call({
  ...reading,
  path: 'menu',
  input: z.strictObject({ network: id.optional(), transferKey: optionalText }),
  run: ({ runtime, actor }, of) => menuFor(runtime, actor, of),
})

const authority = call({
  ...reading,
  path: 'auth/authority',
  keys: true,
  input: z.strictObject({}),
  run({ runtime, actor }) {
    const { dateFormat, hours, timezone: own } = ownAccount({ runtime, actor })
    const zone = own ?? readGeneral(runtime.db).timezone
    return {
      authorities: [...actor.authorities],
      /** How this person has times written, and what they may choose. */
      timeOption: { format: dateFormat, hour: hours, timezone: zone, formats: dateFormats, hours: [12, 24] },
      initialInfo: initialInfoOf(runtime),
      enterpriseSetting: enterpriseOf(runtime, actor),
    }
  },
})

/** Fields of the specification's account info that mean something on other systems and products alone (docs/decisions/api.md). */
const nowhereElse = {
  region: '',
  regionUrl: '',
  system: 'networking',
  upgradeTip: 0,
  managerUpgradeTip: 0,
  isShowTopWebsitesInReport: 0,
  gwn702x: 0,
  autoAddSsid: 0,
  special: { switches: [] as string[], isSelectMoreData: 0 },
}

const accountInfo = call({
  ...reading,
  path: 'account/info',
  input: z.strictObject({}),
  run({ runtime, actor }) {
    const row = runtime.db.select().from(accounts).where(eq(accounts.id, actor.id)).get()
    if (!row) return fail('sessionExpired')
    return {
      username: row.username,
      account: row.account,
      email: row.email ?? '',
      company: row.company,
      address: row.address,
      type: accountType.catch('').parse(row.type),
      role: row.role,
      /** Of a role made here; built-in ones have their words in roles.json. */
      roleName: roleName(runtime.db, row),
      register: row.register,
      /** `saml`: an identity provider signs them in, `ldap`: a directory; neither has a password here. */
      source: row.source,
      localDeploy: 1,
      /** The dashboard's guest count is there (docs/decisions/api.md). */
      isGuestCountShowInDashboard: 1,
      locale: row.locale ?? '',
      timezone: row.timezone ?? readGeneral(runtime.db).timezone,
      timeFormat: { format: row.dateFormat, hour: row.hours },
      appearance: row.appearance,
      selectNetwork: accessibleNetworks(runtime.db, actor).map(network => network.id),
      sessionTimeout: timeoutOf(runtime, row),
      /** Whether each person may choose the time-out. */
      ownTimeout: !readSecurity(runtime.db).syncTimeouts,
      networkId: (accessibleNetwork(runtime.db, actor, actor.network) ?? homeNetwork(runtime.db, actor))?.id ?? null,
      pageAuthority: [...actor.authorities],
      /** May networks be handed over to them (rule S6)? */
      transferNetworkRole: Number(receivingRoles.includes(actor.role)),
      enterpriseSetting: enterpriseOf(runtime, actor),
      ...nowhereElse,
    }
  },
})

/** One that there are words in: also letters and times are written in it. */
export const language = z
  .string()
  .max(16)
  .transform(localeOf)
  .refine(lang => available.includes(lang), 'notAllowed')

/** 0 follow system, 1 light, 2 dark, 3 white. */
export const appearance = z.int().min(0).max(3)

type Change = Partial<AccountRow>

/** How pages look to one person: nobody else's business, and nothing that the changelog has to prove. */
const looks: ReadonlySet<string> = new Set<keyof AccountRow>([
  'appearance',
  'locale',
  'timezone',
  'dateFormat',
  'hours',
])

/** What an account's own settings become, as the changelog has it: {field: [before, after]}. */
function changedFields(before: AccountRow, change: Change): Record<string, [unknown, unknown]> {
  const keys = (Object.keys(change) as (keyof AccountRow)[]).filter(
    key => change[key] !== undefined && change[key] !== before[key],
  )
  return Object.fromEntries(keys.map(key => [key, [before[key], change[key]]]))
}

const accountSave = call({
  path: 'account/save',
  topics: ['sessions'],
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: true,
  changelog: 'elsewhere',
  send: 'once',
  input: z.strictObject({
    username: userName.optional(),
    company: company.optional(),
    address: postalAddress.optional(),
    type: accountType.optional(),
    locale: language.optional(),
    timezone: timezone.optional(),
    timeFormat: z
      .strictObject({ format: z.enum(dateFormats), hour: z.union([z.literal(12), z.literal(24)]) })
      .optional(),
    appearance: appearance.optional(),
    sessionTimeout: z.int().min(minutes.min).max(minutes.max).optional(),
  }),
  /** The settings of one's own account that are given. A name that came with the account may stay as it is. */
  run(context, { timeFormat, ...rest }) {
    const { runtime, actor, setCookie, log } = context
    if (rest.sessionTimeout !== undefined && readSecurity(runtime.db).syncTimeouts)
      failFields({ sessionTimeout: 'timeoutForAll' })
    const change: Change = { ...rest, ...(timeFormat && { dateFormat: timeFormat.format, hours: timeFormat.hour }) }
    const fields = changedFields(ownAccount(context), change)
    const told = Object.fromEntries(Object.entries(fields).filter(([key]) => !looks.has(key)))
    if (Object.keys(fields).length)
      runtime.db.transaction(tx => {
        tx.update(accounts).set(change).where(eq(accounts.id, actor.id)).run()
        if (Object.keys(told).length) log({ action: 'edit', object: 'account', name: actor.account, fields: told })
      })
    // The next page is drawn by the server in these.
    if (rest.appearance !== undefined) setCookie('theme', String(rest.appearance), { maxAgeSeconds: yearSeconds })
    if (rest.locale !== undefined) setCookie('locale', rest.locale, { maxAgeSeconds: yearSeconds })
    if (fields.username || fields.company || fields.address || fields.type)
      runtime.bus.emit({ topic: 'users', organization: actor.organization })
    return {}
  },
})

const languageGet = call({
  path: 'language/get',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({}),
  run({ runtime, cookie }) {
    const result = available.map(code => ({
      code,
      name: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
    }))
    return { result, total: result.length, current: cookie('locale') ?? readGeneral(runtime.db).language }
  },
})

const languageSet = call({
  path: 'language/set',
  unheard: 'unseen',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  send: 'each',
  input: z.strictObject({ lang: language }),
  run({ runtime, actor, setCookie }, { lang }) {
    setCookie('locale', lang, { maxAgeSeconds: yearSeconds })
    if (actor) runtime.db.update(accounts).set({ locale: lang }).where(eq(accounts.id, actor.id)).run()
    return { lang }
  },
})

const domain = call({
  ...reading,
  path: 'domain',
  input: z.strictObject({}),
  /**
   * Where this manager is reached. `url`: the address that an administrator set for links in mails, else the one by which
   * the asker came (`origin`); `domain`: its name; `set`: whether it was set.
   */
  run({ runtime, request, secure }) {
    const origin = `${secure ? 'https' : 'http'}://${request.headers.get('host') ?? ''}`
    const own = readMailServer(runtime)?.publicUrl
    const url = own ?? origin
    return { domain: new URL(url).hostname, url, origin, set: own !== undefined }
  },
})

const appearanceSet = call({
  path: 'appearance/set',
  unheard: 'unseen',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  send: 'each',
  /** As of the account; `sidebar`: whether the browser's is folded. */
  input: z.strictObject({ appearance: appearance.optional(), sidebar: z.enum(['slim', 'wide']).optional() }),
  /** Of this browser: the server draws its next page so, and nothing flashes. */
  run({ setCookie }, { appearance, sidebar }) {
    if (appearance !== undefined) setCookie('theme', String(appearance), { maxAgeSeconds: yearSeconds })
    if (sidebar) setCookie('sidebar', sidebar, { maxAgeSeconds: yearSeconds })
    return {}
  },
})

export const accountCalls = [
  ...([initInfo, menu, authority, domain, accountInfo, accountSave] as const),
  ...([languageGet, languageSet, appearanceSet] as const),
] as const
