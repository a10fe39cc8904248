import type { Runtime } from '@/server/kernel/runtime'
import { createGraphicalCodes } from './graphical-code'

/** What sign-in and the wizard keep in memory. */
export function startAccounts(runtime: Runtime): void {
  runtime.parts.set('graphicalCodes', createGraphicalCodes())
  runtime.parts.set('codeTries', new Map())
}
