import * as z from 'zod'
import { f } from '../fields'
import { field, section, single } from '../kind'

const fields = z.strictObject({
  frequency: f.choice(['off', 'daily', 'weekly'], { menu: true }).default('daily'),
  weekday: f.weekday().default(0),
  /** By the manager's clock. */
  time: f.time().default('02:30'),
  storageLimitMb: f.int(10, 1_000_000, { unit: 'megabytes' }).default(1024),
  /** Folder of the archives, '' for the one in the data folder. Rule P11. */
  path: f.text(255, 'P11').default(''),
  /** With the history of measurements, which is large and can be done without. */
  history: f.boolean().default(true),
  passphrase: f.secret(8, 128).optional(),
})
export type BackupSchedule = z.output<typeof fields>

/** When backups are made by themselves, where they are kept, and how much room they may take. */
export const backupSchedule = single({
  id: 'backupSchedule',
  area: 'backups',
  scope: 'manager',
  fields,
  sections: [
    section('schedule', [
      'frequency',
      field('weekday', { when: (v: BackupSchedule) => v.frequency === 'weekly' }),
      field('time', { when: (v: BackupSchedule) => v.frequency !== 'off' }),
      'storageLimitMb',
      'path',
      'history',
      'passphrase',
    ]),
  ],
  rules: [],
})
