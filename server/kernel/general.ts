import type { Db } from '@/db/client'
import { type General, general } from '@/model/manager/general'
import { readOwnOrDefaults } from './own-settings'

/** The manager's name, country, time zone and language; the defaults until the setup is done. */
export const readGeneral = (db: Db): General => readOwnOrDefaults(db, general)
