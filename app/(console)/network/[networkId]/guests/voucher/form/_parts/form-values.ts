import { kbpsOf, type RateUnit, rateOf } from '../../_parts/rate'
import type { Group } from '../../_parts/rows'

/** What the form holds; an empty number is undefined, one that is none NaN. */
export type FormValues = {
  name: string
  quantity: number | undefined
  days: number | undefined
  hours: number | undefined
  minutes: number | undefined
  validityDays: number | undefined
  maxDevices: number | undefined
  byteLimitMb: number | undefined
  bytesPer: 'voucher' | 'device'
  download: number | undefined
  downloadUnit: RateUnit
  upload: number | undefined
  uploadUnit: RateUnit
  resetDays: number | undefined
  resetHour: string
  notes: string
  desk: boolean
}
type Like = Omit<
  Group,
  'id' | 'name' | 'notes' | 'desk' | 'revision' | 'createdAt' | 'createdBy' | 'nextReset' | 'counts'
>
const firstOne: Like = {
  ...{ days: 1, hours: 0, minutes: 0, validityDays: 30, maxDevices: 1 },
  ...{ byteLimitMb: null, bytesPer: 'voucher', downloadKbps: null, uploadKbps: null, resetDays: 0, resetHour: 0 },
}

/** Of the group that is changed; a new one begins as the last one was made, and the first by what many give. */
export function valuesOf(group: Group | undefined, start: Group | null): FormValues {
  const like: Like = start ?? firstOne
  const [download, downloadUnit] = rateOf(like.downloadKbps)
  const [upload, uploadUnit] = rateOf(like.uploadKbps)
  const { days, hours, minutes, validityDays, maxDevices, bytesPer, resetDays, resetHour } = like
  return {
    ...{
      name: group?.name ?? '',
      notes: group?.notes ?? '',
      quantity: group ? undefined : 20,
      desk: group?.desk ?? false,
    },
    ...{ days, hours, minutes, validityDays, maxDevices, bytesPer, resetDays },
    ...{ download, downloadUnit, upload, uploadUnit },
    ...{ resetHour: String(resetHour), byteLimitMb: like.byteLimitMb ?? undefined },
  }
}

/** What the call takes. NaN goes as it is: the call says at its field that it is no number. */
export function inputOf(values: FormValues, fresh: boolean) {
  const { download, downloadUnit, upload, uploadUnit, quantity, byteLimitMb, resetHour, ...same } = values
  return {
    ...same,
    ...(fresh && quantity !== undefined && { quantity }),
    days: same.days ?? 0,
    hours: same.hours ?? 0,
    minutes: same.minutes ?? 0,
    validityDays: same.validityDays as number,
    resetDays: same.resetDays ?? 0,
    resetHour: Number(resetHour),
    byteLimitMb: byteLimitMb ?? null,
    downloadKbps: kbpsOf(download, downloadUnit),
    uploadKbps: kbpsOf(upload, uploadUnit),
  }
}
