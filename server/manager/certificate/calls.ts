import * as z from 'zod'
import { call } from '@/server/kernel/call'
import { requirePrivate } from '@/server/kernel/fail'
import { runCommand } from '@/server/manager/command/commands'
import { certificateBytes, currentCertificate, installCertificate, removeCertificate } from './certificate'

const reading = { tag: 'manager', scope: 'organization', authority: 'organization_manager', changes: false } as const
const changing = {
  tag: 'manager',
  scope: 'organization',
  authority: 'organization_manager_edit',
  changes: true,
  topics: ['certificate'],
  changelog: 'entry',
  send: 'once',
} as const

const get = call({
  ...reading,
  path: 'manager/certificate/get',
  input: z.strictObject({}),
  run: ({ runtime }) => ({ certificate: currentCertificate(runtime.config.data) ?? null }),
})

const pem = z.string().trim().min(1, 'required').max(certificateBytes, 'tooLong')

const save = call({
  ...changing,
  path: 'manager/certificate/save',
  input: z.strictObject({ certificate: pem, key: pem }),
  run(context, input) {
    requirePrivate(context)
    const { runtime, now, log } = context
    const before = currentCertificate(runtime.config.data)
    const certificate = installCertificate(runtime.config.data, input, now)
    log({
      action: 'edit',
      object: 'certificate',
      name: certificate.subject,
      fields: { fingerprint: [before?.fingerprint ?? null, certificate.fingerprint] },
    })
    return { certificate }
  },
})

const remove = call({
  ...changing,
  path: 'manager/certificate/delete',
  input: z.strictObject({}),
  run({ runtime, log }) {
    const before = currentCertificate(runtime.config.data)
    removeCertificate(runtime.config.data)
    log({ action: 'delete', object: 'certificate', name: before?.subject ?? '' })
    return {}
  },
})

const support = call({
  ...reading,
  path: 'exports/support',
  authority: 'organization_manager_edit',
  changelog: 'entry',
  get: true,
  input: z.strictObject({}),
  /** The file of `lanward support`: no name, address or secret stands in it. */
  async run({ runtime, now, log }) {
    const { data } = await runCommand(runtime, 'support', {})
    log({ action: 'export', object: 'support', name: '' })
    return new Response(JSON.stringify(data, null, 2), {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="lanward-support-${new Date(now).toISOString().slice(0, 10)}.json"`,
        'cache-control': 'no-store',
      },
    })
  },
})

export const managerCalls = [get, save, remove, support] as const
