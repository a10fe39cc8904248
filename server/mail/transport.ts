import { createTransport } from 'nodemailer'
import type { MailServer } from '@/model/mail/server'

export type Mail = {
  to: string | readonly string[]
  subject: string
  text: string
  html?: string
  message?: string
  /** Who reads answers, in place of what the mail server's settings say. */
  replyTo?: string
  attachment?: { filename: string; type: string; bytes: Buffer }
}

const stepLimitMs = 10_000
/** For a whole mail: a server that answers byte by byte keeps nobody longer. Shorter than the test's limit of 60 s. */
const letterLimitMs = 50_000

const transportTo = (server: MailServer) =>
  createTransport({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    tls: { rejectUnauthorized: server.verify },
    ...(server.user && { auth: { user: server.user, pass: server.password } }),
    connectionTimeout: stepLimitMs,
    greetingTimeout: stepLimitMs,
    socketTimeout: 3 * stepLimitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

// As an object an address is taken as it is; as text it would be parsed, and could be several.
const address = (of: string, name = '') => ({ name, address: of })

/** A mail as the mail library takes it. */
export function message(server: Pick<MailServer, 'from' | 'fromName' | 'replyTo'>, mail: Mail) {
  const replyTo = mail.replyTo || server.replyTo
  return {
    from: address(server.from, server.fromName),
    to: [mail.to].flat().map(to => address(to as string)),
    ...(replyTo && { replyTo: address(replyTo) }),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html && { html: mail.html }),
    ...(mail.message && { messageId: `<${mail.message}@${server.from.split('@')[1]}>` }),
    ...(mail.attachment && {
      attachments: [
        {
          filename: mail.attachment.filename,
          contentType: mail.attachment.type,
          content: mail.attachment.bytes,
        },
      ],
    }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
  }
}

/**
 * Hands one mail to the server; resolves to what it answered, with the receivers that it did not take of several. Rejects
 * with nodemailer's error, also when it took none.
 */
export async function handOver(server: MailServer, mail: Mail): Promise<{ response: string; refused: string[] }> {
  const transport = transportTo(server)
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, late) => {
    timer = setTimeout(() => late(new Error('the mail server took too long')), letterLimitMs)
  })
  const sent = transport.sendMail(message(server, mail))
  try {
    const { response, rejected } = await Promise.race([sent, limit])
    return { response: response.slice(0, 300), refused: rejected.map(String) }
  } finally {
    clearTimeout(timer)
    transport.close()
  }
}

/** As `handOver`, of a mail for one. */
export const sendMail = async (server: MailServer, mail: Mail): Promise<string> =>
  (await handOver(server, mail)).response

/** What went wrong, in the server's words where it had any; without a password that a library may have put into them. */
export function reasonOf(error: unknown, secrets: readonly string[]): string {
  const inner = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  let text = `${error instanceof Error ? error.message : String(error)}${inner}`
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, '•••')
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 300)
}

/** `recipient`: this mail will never be taken; `mail`: perhaps later; `server`: no mail gets through now. */
export function faultOf(error: unknown): 'recipient' | 'mail' | 'server' {
  const {
    responseCode = 0,
    command = '',
    code = '',
  } = error as {
    responseCode?: number
    command?: string
    code?: string
  }
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // What is said to MAIL FROM is about the sender, which somebody can set right.
  if (!aboutMail || command === 'MAIL FROM') return 'server'
  return responseCode >= 500 ? 'recipient' : 'mail'
}
