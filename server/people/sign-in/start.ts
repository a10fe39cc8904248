import type { Runtime } from '@/server/kernel/runtime'
import { createSamlTries } from '@/server/people/federation/saml/tries'
import { createGraphicalCodes } from './graphical-code'
import { createPendingSignIns } from './pending'

/** What sign-in and the wizard keep in memory. */
export function startAccounts(runtime: Runtime): void {
  runtime.parts.set('graphicalCodes', createGraphicalCodes())
  runtime.parts.set('pendingSignIns', createPendingSignIns())
  runtime.parts.set('codeTries', new Map())
  runtime.parts.set('samlTries', createSamlTries())
}
