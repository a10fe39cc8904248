import { type Data, hiddenFields, type Kind } from '@/model/kind'

/** A document with what a device says otherwise; undefined is a field that it has no more, and what has no meaning then goes. */
export function withAdopted(kind: Kind, data: Data, changed: Data): Data {
  const said = Object.entries({ ...data, ...changed }).filter(([, value]) => value !== undefined)
  const hidden = hiddenFields(kind, Object.fromEntries(said))
  return Object.fromEntries(said.filter(([key]) => !hidden.includes(key)))
}
