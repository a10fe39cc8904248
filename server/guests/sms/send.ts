import { contentTypes, fillSms } from '@/model/guests/sms-template'
import type { SmsGatewayFields } from '@/model/profiles/sms-gateway'
import { askOnce, type SendOptions, type WebRequest } from '@/server/notify/webhooks/send'
import { type Twilio, twilioRefusal, twilioRequest } from './twilio'

/** `number`: this number takes no message; `reason`: what the gateway or the way to it said. */
export type SmsOutcome = 'sent' | 'number' | { reason: string }

const reasonCharacters = 200
const reason = (text: string): SmsOutcome => ({ reason: text.trim().slice(0, reasonCharacters) })

function headersOf(lines: readonly string[], values: Parameters<typeof fillSms>[1]): Record<string, string> {
  const parts = lines.map(line => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), fillSms(line.slice(at + 1).trim(), values, 'header')] as const
  })
  return Object.fromEntries(parts)
}

/** The request of a gateway that is told by a template. */
export function templateRequest(gateway: SmsGatewayFields, to: string, message: string): WebRequest {
  const { method, url = '', headers, format = 'json', body = '', secret = '' } = gateway
  const values = { phone: to, digits: to.slice(1), message, secret }
  const withBody = method !== 'GET'
  return {
    ...{ url: new URL(fillSms(url, values, 'url')), method },
    headers: { ...(withBody && { 'content-type': contentTypes[format] }), ...headersOf(headers, values) },
    body: withBody ? fillSms(body, values, format) : '',
  }
}

function twilioOf({ server, account = '', token = '', sender = '' }: SmsGatewayFields): Twilio {
  return { server, account, token, sender }
}

/** Sends one message; resolves however it ends. `to`: as it is dialled from anywhere. */
export async function sendSms(
  gateway: SmsGatewayFields,
  { to, message }: { to: string; message: string },
  options: SendOptions,
): Promise<SmsOutcome> {
  const isTwilio = gateway.provider === 'twilio'
  const request = () =>
    isTwilio ? twilioRequest(twilioOf(gateway), to, message) : templateRequest(gateway, to, message)
  const { code, error, answer } = await askOnce(request, options)
  if (error && error !== 'status') return reason(error)
  if (isTwilio && error) {
    const why = twilioRefusal(code, answer)
    return why === 'number' ? 'number' : reason(why)
  }
  if (error) return reason(`HTTP ${code} ${answer}`)
  return gateway.success && !answer.includes(gateway.success) ? reason(answer || `HTTP ${code}`) : 'sent'
}
