import * as z from 'zod'
import { call } from '@/server/kernel/call'
import { announcedIn } from './announced'

const get = call({
  scope: 'network',
  authority: 'settings_profiles',
  changes: false,
  tag: 'guests',
  path: 'guests/announced/get',
  input: z.strictObject({}),
  /**
   * Every LAN network with a portal: whether phones are told of it by DHCP, or why not. `name`: the name that phones may
   * ask by, and when its certificate ends, or `why` there is none.
   */
  run: ({ runtime, network, now }) => announcedIn(runtime, network.id, now),
})

export const announcedCalls = [get] as const
