import type { Db } from '@/db/client'
import { getSetting } from '@/server/kernel/settings'

/** Whether people of a directory sign in here. Apart from the rest: the sign-in page needs nothing else of it. */
export const directoryOn = (db: Db): boolean => getSetting(db, 'directory').enabled
