import * as z from 'zod'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'

/** Numbers of stored logins as people put them, by network. */
const loginOrder = state('loginOrder', z.object({ networks: z.record(z.string(), z.array(z.number())).default({}) }))

/** A network's logins as they are tried in turn: those that were put in order, then the others as they came. */
export function inLoginOrder<T extends { id: number }>({ db }: Runtime, network: number, rows: readonly T[]): T[] {
  const order = loginOrder.read(db).networks[network] ?? []
  const place = ({ id }: T) => (order.includes(id) ? order.indexOf(id) : order.length)
  return rows.toSorted((a, b) => place(a) - place(b) || a.id - b.id)
}

/** Keeps the order. Call it inside a transaction. */
export function saveLoginOrder({ db }: Runtime, network: number, ids: readonly number[]): void {
  const { networks } = loginOrder.read(db)
  loginOrder.change(db, { networks: { ...networks, [network]: [...ids] } })
}
