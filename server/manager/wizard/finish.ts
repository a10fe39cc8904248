import type { Kind } from '@/model/kind'
import { general } from '@/model/manager/general'
import { saveAdopted } from '@/server/devices/adoption/adopt'
import { importAtAdoption } from '@/server/devices/adoption/at-adoption'
import type { BaseContext } from '@/server/kernel/call'
import { appendLog, type LogEntry } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import { storeOwn } from '@/server/kernel/own-settings'
import { setup } from '@/server/kernel/setup'
import { addNetwork } from '@/server/networks/networks/networks'
import { type SettingsContext, saveDocument } from '@/server/networks/settings/documents'
import { createOrganization } from '@/server/people/accounts/accounts'
import { type Draft, draftState, readDraft } from './draft'

type Made = { account: { id: number; account: string }; network: number; devices: number[]; pushTo: number[] }

/** Whether a device can carry an SSID at all, by its capabilities. */
export const sendsWifi = (capabilities: readonly string[]): boolean => capabilities.includes('wifi')

function complete(draft: Draft): Draft & Required<Pick<Draft, 'general' | 'account'>> {
  const { general, account } = draft
  if (!general) return fail('wizardIncomplete', { step: 'general' })
  if (!account) return fail('wizardIncomplete', { step: 'account' })
  return { ...draft, general, account }
}

/**
 * Everything the wizard gathered becomes real in one transaction, or nothing does. Afterwards the wizard is closed for
 * good. Refusals: wizardClosed, wizardIncomplete {step}.
 */
export function finishWizard(context: BaseContext, ssid: Kind): Made {
  const { runtime, now, address } = context
  return runtime.db.transaction(tx => {
    if (setup.read(tx).finished) fail('wizardClosed')
    const draft = complete(readDraft(runtime))
    const { name, country, timezone, language } = draft.general
    const owner = { ...draft.account, timezone, locale: language }
    const { organization, account } = createOrganization(tx, name, owner, now)
    const network = addNetwork(tx, organization, { networkName: name, country, timezone }, now)
    storeOwn({ runtime, actor: { organization, account: owner.account }, now }, tx, general, draft.general)
    setup.change(tx, { finished: true, at: now })
    draftState.change(tx, { sealed: '', browser: '' })
    const entry: LogEntry = {
      organization,
      network,
      at: now,
      account: owner.account,
      address,
      action: 'finish',
      object: 'wizard',
      name,
      fields: {},
    }
    appendLog(tx, runtime.secrets, entry)
    const actor = { organization, account: owner.account }
    const log: SettingsContext['log'] = change =>
      appendLog(tx, runtime.secrets, {
        ...entry,
        ...change,
        network: change.network ?? network,
        fields: change.fields ?? {},
      })
    const logins = new Map<string, number>()
    const devices = (draft.devices ?? []).flatMap(one => {
      const key = JSON.stringify(one.credential)
      const saved = saveAdopted(runtime, { organization, network }, one, logins.get(key), now)
      // Found twice, by two addresses: the first one stands.
      if ('failure' in saved) return []
      logins.set(key, saved.credential)
      importAtAdoption({ runtime, actor, network: { id: network, name }, now, log }, saved.id, one.imports)
      return [{ id: saved.id, wifi: sendsWifi(one.facts.capabilities) }]
    })
    if (draft.ssid) saveDocument({ runtime, actor, network: { id: network }, now, log }, ssid, draft.ssid)
    const pushTo = devices.filter(device => device.wifi && draft.ssid).map(device => device.id)
    return {
      account: { id: account, account: owner.account },
      network,
      devices: devices.map(device => device.id),
      pushTo,
    }
  })
}
