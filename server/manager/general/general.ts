import { type General, general } from '@/model/manager/general'
import type { OwnSettings } from '@/server/kernel/own-settings'
import { takeFormer } from '@/server/kernel/settings'
import { applySchedule } from '@/server/manager/backups/schedule'

/** The manager's own name and place: by its clock backups are made. */
export const generalSettings: OwnSettings<General> = {
  kind: general,
  topics: ['mail'],
  applied: applySchedule,
  former: ({ db }) => takeFormer(db, 'manager'),
}
