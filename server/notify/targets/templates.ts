import type { Service } from '@/model/notify/services'

// How each chat service is told, as data. Holes in {braces} are filled by compose: places of model/notify/services.ts,
// `{subject}`, `{text}` (subject and lines), `{lines}`, `{priority}` (1 to 5) and `{id}` (of the message).

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type Chat = Exclude<Service, 'mail' | 'syslog' | 'snmp'>
type Path = readonly string[]

export type Template = {
  method?: 'PUT'
  url: string
  query?: Readonly<Record<string, string>>
  /** Those whose place is empty are left out. */
  headers?: Readonly<Record<string, string>>
  body: Json
  /** The longest text that it takes, in bytes. */
  bytes: number
  /** Between two lines of its texts. */
  breaks?: string
  /** Characters that mean something in its texts. */
  escape?: Readonly<Record<string, string>>
  /** Where its answer says in words what was wrong; without one the answer itself is the words. */
  reason?: readonly Path[]
  /** Where its answer says how long to wait, and how many ms the number means. */
  wait?: { path: Path; ms: number }
  /** A refusal in an answer that is fine by its status; what is in brackets is the status meant. */
  hidden?: RegExp
}

const bearer = { authorization: 'Bearer {token}' }
const httpRefusal = /returned HTTP error (\d{3})/

/** Of `[words](address)` a link is made that shows words alone: a device's name may be anybody's, so the two are parted. */
const noLinks = { '](': ']\u200b(' }

export const templates: Readonly<Record<Chat, Template>> = {
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: refusals are words like no_service.
  slack: { url: '{url}', body: { text: '{text}' }, bytes: 30_000, escape: { '&': '&amp;', '<': '&lt;', '>': '&gt;' } },
  // Workflows ("When a Teams webhook request is received") and the connectors before them take the same card of 28 kB.
  teams: {
    url: '{url}',
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: '{subject}', weight: 'Bolder', wrap: true },
              { type: 'TextBlock', text: '{lines}', wrap: true },
            ],
          },
        },
      ],
    },
    bytes: 20_000,
    escape: noLinks,
    // One line break is none in a card.
    breaks: '\n\n',
    reason: [['error', 'message'], ['message']],
    hidden: httpRefusal,
  },
  // https://discord.com/developers/docs/resources/webhook#execute-webhook; with `wait` it says whether the message stands.
  discord: {
    url: '{url}',
    query: { wait: 'true' },
    body: { content: '{text}', allowed_mentions: { parse: [] } },
    bytes: 2000,
    escape: noLinks,
    reason: [['message']],
    wait: { path: ['retry_after'], ms: 1000 },
  },
  // https://spec.matrix.org/latest/client-server-api: the same id again is the same message, and told once.
  matrix: {
    method: 'PUT',
    url: '{server}/_matrix/client/v3/rooms/{room}/send/m.room.message/{id}',
    headers: bearer,
    body: { msgtype: 'm.text', body: '{text}', 'm.mentions': {} },
    bytes: 30_000,
    reason: [['error'], ['errcode']],
    wait: { path: ['retry_after_ms'], ms: 1 },
  },
  // https://core.telegram.org/bots/api#sendmessage: 4096 characters.
  telegram: {
    url: '{server}/bot{token}/sendMessage',
    body: { chat_id: '{chat}', text: '{text}', link_preview_options: { is_disabled: true } },
    bytes: 4000,
    reason: [['description']],
    wait: { path: ['parameters', 'retry_after'], ms: 1000 },
  },
  // https://docs.ntfy.sh/publish/#publish-as-json: a longer text becomes a file.
  ntfy: {
    url: '{server}',
    headers: bearer,
    body: { topic: '{topic}', title: '{subject}', message: '{lines}', priority: '{priority}' },
    bytes: 4000,
    reason: [['error']],
  },
}
