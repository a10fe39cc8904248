import type { AlertType, Grade } from '@/model/notify/catalogue'

export type NewAlert<T extends AlertType = AlertType> = Grade<T> & {
  type: T
  /** Absent: the only organization's. */
  organization?: number
  network?: number
  device?: number
  values?: Record<string, string | number>
  at?: number
  /** When people are told of it, if it is open still; absent: at once, null: never. */
  tellAt?: number | null
}
