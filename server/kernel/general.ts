import type { Db } from '@/db/client'
import { type General, general, generalAtFirst } from '@/model/manager/general'
import { readOwn } from './own-settings'

/** The manager's name, country, time zone and language. */
export const readGeneral = (db: Db): General => readOwn(db, general) ?? generalAtFirst
