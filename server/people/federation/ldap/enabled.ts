import type { Db } from '@/db/client'
import { directory } from '@/model/people/directory'
import { readOwn } from '@/server/kernel/own-settings'

/** Whether people of a directory sign in here. Apart from the rest: the sign-in page needs nothing else of it. */
export const directoryEnabled = (db: Db): boolean => readOwn(db, directory)?.enabled ?? false
