import * as z from 'zod'
import type { Authority } from './authority'
import { limits } from './limits'
import { generalName } from './names'

/** What a webhook can be told of, each with the right by which its maker may see the same in the console. */
export const hookTopics = [
  { id: 'alerts', authority: 'alerts' },
  { id: 'devices', authority: 'devices' },
  { id: 'pushes', authority: 'devices' },
  { id: 'changelog', authority: 'organization_changelog' },
] as const satisfies readonly { id: string; authority: Authority }[]
export type HookTopic = (typeof hookTopics)[number]['id']

/** Types of events as they stand in what is sent. */
export const hookTypes = {
  alerts: ['alert.raised'],
  devices: ['device.added', 'device.removed'],
  pushes: ['push.ended'],
  changelog: ['changelog.entry'],
} as const satisfies Record<HookTopic, readonly string[]>
export const testType = 'webhook.test'
export type HookType = (typeof hookTypes)[HookTopic][number] | typeof testType

/** What a webhook's secret begins with, so that scanners of leaked secrets and people know one. */
export const secretStart = 'lwh_'

export const hookName = generalName(limits.apiKeyNameCharacters)

/** No name or password in it: they would stand in lists; a service's own token stands in the path. */
export const hookUrl = z
  .url({ protocol: /^https?$/, message: 'urlFormat' })
  .max(limits.webhookUrlCharacters, 'tooLong')
  .refine(text => !/^[^/]*\/\/[^/?#]*@/.test(text), 'urlUser')
