import type { Vlan } from '../../observation'
import type { Mib } from '../protocol/table'
import { vtpVlans } from './cisco-vlans'
import { vlanCurrent, vlanCurrent2, vlanStatic, vlanStatic2 } from './mibs'
import type { ListRow } from './vendor-lists'

// The VLANs that a switch has, with the names given to them there: Q-BRIDGE-MIB, CISCO-VTP-MIB, or the vendor's own. Pure.

const last = (index: string) => Number(index.split('.').at(-1))
const active = 1

/** All VLANs of 1-4094, ascending, named by who names them. Absent where no table tells of VLANs. */
export function vlanList(mib: Mib, own: readonly ListRow[]): Vlan[] | undefined {
  const found = new Map<number, Vlan>()
  const put = (id: number, name: string | undefined) => {
    if (!(id >= 1 && id <= 4094)) return
    const known = found.get(id)
    const given = name?.trim() || known?.name
    found.set(id, { id, ...(given && { name: given }) })
  }
  for (const { index } of [...mib.rows(vlanCurrent), ...mib.rows(vlanCurrent2)]) put(last(index), undefined)
  for (const { index, name } of [...mib.rows(vlanStatic), ...mib.rows(vlanStatic2)]) put(last(index), name)
  // 1002-1005 are there on every switch, for rings of the past.
  for (const { index, state, type, name } of mib.rows(vtpVlans))
    if (state === active && (type ?? active) === active) put(last(index), name)
  for (const { index, id, name } of own) put(Number(id ?? last(index)), name as string | undefined)
  return found.size > 0 ? [...found.values()].sort((a, b) => a.id - b.id) : undefined
}
