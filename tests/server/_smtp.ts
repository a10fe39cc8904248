import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'

export type Received = { user?: string; from: string; to: string[]; text: string }
type Answers = {
  /** Ends RCPT TO with this number and words. */
  recipient?: (address: string) => { code: number; words: string } | undefined
  /** Ends DATA so. */
  letter?: (n: number) => { code: number; words: string } | undefined
}

const refusal = ({ code, words }: { code: number; words: string }) =>
  Object.assign(new Error(words), { responseCode: code })

// It greets at once: a tenth of a second in which it looks out for who talks too soon is most of what a letter takes.
SMTPConnection.prototype.init = function init() {
  this._setListeners(() => this.connectionReady())
}

/** A mail server on loopback; a login, where one comes, is taken with the password `mail-Secret-1`. */
export async function smtpServer(answers: Answers = {}, port = 0) {
  const letters: Received[] = []
  let seen = 0
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'mail-Secret-1' ? done(null, { user: username }) : done(new Error('no such user')),
    onRcptTo({ address }, _session, done) {
      const refused = answers.recipient?.(address)
      done(refused && refusal(refused))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', part => parts.push(part))
      stream.on('end', () => {
        const refused = answers.letter?.(++seen)
        if (refused) return done(refusal(refused))
        const { mailFrom, rcptTo } = session.envelope
        letters.push({
          user: session.user as string | undefined,
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(each => each.address),
          text: Buffer.concat(parts).toString('utf8'),
        })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  const listening = server.listen(port, '127.0.0.1')
  await new Promise<void>(done => listening.once('listening', () => done()))
  return {
    port: (listening.address() as AddressInfo).port,
    letters,
    close: () => new Promise<void>(done => server.close(() => done())),
  }
}

/** A part of a letter as its reader sees it: quoted-printable and soft line ends undone. */
export const decoded = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
