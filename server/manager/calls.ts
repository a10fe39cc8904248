import * as z from 'zod'
import { call } from '@/server/kernel/call'
import { requirePrivate } from '@/server/kernel/fail'
import { certificateBytes, currentCertificate, installCertificate, removeCertificate } from './certificate'

const reading = { scope: 'organization', authority: 'organization_manager', changes: false } as const
const changing = { scope: 'organization', authority: 'organization_manager_edit', changes: true } as const

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

export const managerCalls = [get, save, remove] as const
