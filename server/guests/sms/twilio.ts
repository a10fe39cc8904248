import type { WebRequest } from '@/server/notify/webhooks/send'

// https://www.twilio.com/docs/messaging/api/message-resource: one form, told apart by its account; 201 with the message,
// else a status with a code of https://www.twilio.com/docs/api/errors and words.

/** Codes that mean the number, not the account: who typed it can mend it. */
const aboutNumber: ReadonlySet<number> = new Set([21211, 21217, 21265, 21408, 21610, 21612, 21614, 21635])

export type Twilio = { server: string; account: string; token: string; sender: string }

export function twilioRequest({ server, account, token, sender }: Twilio, to: string, message: string): WebRequest {
  const from = sender.startsWith('MG') ? 'MessagingServiceSid' : 'From'
  return {
    url: new URL(`/2010-04-01/Accounts/${account}/Messages.json`, server),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
    },
    body: new URLSearchParams({ To: to, [from]: sender, Body: message }).toString(),
  }
}

type Said = { code?: unknown; message?: unknown }
function saidBy(answer: string): Said {
  try {
    const said: unknown = JSON.parse(answer)
    return typeof said === 'object' && said !== null ? said : {}
  } catch {
    return {}
  }
}

/** What a refusal means: `number`, or the reason in Twilio's words. */
export function twilioRefusal(status: number, answer: string): 'number' | string {
  const { code, message } = saidBy(answer)
  if (typeof code === 'number' && aboutNumber.has(code)) return 'number'
  const words = typeof message === 'string' ? message : answer
  return typeof code === 'number' ? `${words} (Twilio ${code})` : `HTTP ${status} ${words}`
}
