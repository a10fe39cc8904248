import type { ChangeTransport } from '@/server/change/transport'
import type { Fleet } from './fleet'

/** The worker, as the change engine asks it. */
export const changeTransport = ({ ask }: Fleet): ChangeTransport => ({
  async observe(id) {
    await ask('observeNow', id)
  },
  render: (id, plan) => ask('render', { id, ...plan }),
  foreign: (id, taken) => ask('foreign', { id, taken }),
  propose: (id, plan, chosen, all) => ask('propose', { id, ...plan, chosen, all }),
  assess: (id, before, next) => ask('assess', { id, before, next }),
  adopt: (id, plan, seen) => ask('adopt', { id, ...plan, seen }),
  uplinks: network => ask('uplinks', network),
  equal: (driver, pairs) => ask('equal', { driver, pairs }),
  facts: (id, fresh) => ask('facts', { id, fresh }),
  read: (id, fresh, taken) => ask('read', { id, fresh, taken }),
  push: (id, before, next, windowSeconds, events) =>
    ask('push', { id, before, next, windowSeconds }, async progress => {
      if ('pending' in progress) await events.pending(progress.pending)
      else events.step(progress.step)
    }),
  relocate: (id, address) => ask('relocate', { id, address }),
  confirm: (id, pending) => ask('confirm', { id, pending }),
  revert: (id, pending) => ask('revert', { id, pending }),
  state: (id, pending) => ask('state', { id, pending }),
  verify: (id, next) => ask('verify', { id, next }),
})
