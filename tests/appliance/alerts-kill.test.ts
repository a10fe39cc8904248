// kill -9 while an alert is on its way: what was raised before is delivered after, by mail and by webhook over https.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { generate } from 'selfsigned'
import { until } from '../lab/_lab'
import { smtpServer } from '../server/_smtp'
import { clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { startManager } from './_manager'

const work = mkdtempSync(`${tmpdir()}/lanward-alerts-kill-`)
const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
  rmSync(work, { recursive: true, force: true })
})

/** An https service on localhost that answers once it is told to, and the certificate to know it by. */
async function service() {
  const days = 24 * 3_600_000
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate: new Date(Date.now() + 2 * days),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  const cert = `${work}/cert.pem`
  writeFileSync(cert, made.cert)
  const bodies: string[] = []
  const told = { answers: false }
  const server = createServer({ key: made.private, cert: made.cert }, async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    bodies.push(body)
    if (told.answers) response.end()
  })
  await new Promise<void>(done => server.listen(0, 'localhost', done))
  closers.push(
    () =>
      new Promise(done => {
        server.close(done)
        server.closeAllConnections()
      }),
  )
  return { cert, bodies, told, url: `https://localhost:${(server.address() as AddressInfo).port}/` }
}

test('an alert that was raised before a kill is told after it', async () => {
  const hook = await service()
  const mail = await smtpServer()
  closers.push(mail.close)
  const options = { data: `${work}/data`, env: { LANWARD_SETUP_CODE: 'off', NODE_EXTRA_CA_CERTS: hook.cert } }
  const first = await startManager(options)
  const client = clientOf(first.http)
  await prepareWizard(client)
  await client.must('wizard/finish')
  const server = { host: '127.0.0.1', port: mail.port, security: 'none', from: 'nms@example.test' }
  await client.must('system-settings/smtp/save', { ...server, publicUrl: 'https://nms.example.test' })
  await client.must('alerts/notice/save', { mode: 'mail', mail: { to: ['ops@example.test'] } })
  await client.must('webhooks/segments/save', { segments: ['127.0.0.1', '::1'] })
  await client.must('webhooks/save', { name: 'Desk', url: hook.url, topics: ['alerts'] })

  // Something really fails: the disk for the backups is gone.
  mkdirSync(`${work}/disk`)
  const schedule = { frequency: 'off', time: '02:30', storageLimitMb: 100, history: false, path: `${work}/disk` }
  await client.must('backups/schedule', schedule)
  rmSync(`${work}/disk`, { recursive: true })
  await expect(client.must('backups/create', {})).rejects.toThrow('22012')
  await until(() => hook.bodies.length === 1)
  await first.kill9()

  hook.told.answers = true
  const second = await startManager(options)
  await until(() => hook.bodies.length > 1 && mail.letters.length > 0)
  expect(hook.bodies[1]).toBe(hook.bodies[0])
  expect(JSON.parse(hook.bodies[0] ?? '')).toMatchObject({ type: 'alert.raised', data: { type: 'backupFailed' } })
  expect(mail.letters[0]?.text).toContain('The backup failed')
  await second.stop()
})
