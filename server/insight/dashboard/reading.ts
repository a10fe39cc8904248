import * as z from 'zod'
import { ranges } from '@/server/history/tiers'

/** What every call of the dashboard says of itself, and what several ask for. */
export const reading = { tag: 'dashboard', scope: 'network', authority: 'dashboard', changes: false } as const
export const range = z.enum(ranges).default('1d')
export const most = z.int().min(1).max(50).default(5)
