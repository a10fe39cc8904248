import * as z from 'zod'
import { state } from './settings'

/** Whether the setup is done: until then nobody can sign in, and init-info says '0'. */
export const setup = state('wizard', z.object({ finished: z.boolean().default(false), at: z.number().optional() }))
