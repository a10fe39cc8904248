import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import { generate } from 'selfsigned'
import { codes } from '@/model/codes'
import { clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { type Manager, post, removeFolder, startManager } from './_manager'

let manager: Manager
let cookie: string

beforeAll(async () => {
  manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  const client = clientOf(manager.http)
  await prepareWizard(client)
  await client.must('wizard/finish')
  cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
})
afterAll(async () => {
  await manager.stop()
  removeFolder(manager.data)
})

const ask = async (path: string, input: object = {}) => (await post(manager.http, path, input, { cookie })).json
/** What a browser is shown at the next connection. */
const shown = () =>
  new Promise<string>((done, failed) => {
    const socket = tls.connect({ port: manager.httpsPort, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      done(socket.getPeerX509Certificate()?.subject ?? '')
      socket.end()
    })
    socket.on('error', failed)
  })
const day = 86_400_000
const pair = (name: string, endsAt = Date.now() + 30 * day) =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    notBeforeDate: new Date(endsAt - 60 * day),
    notAfterDate: new Date(endsAt),
  })

test('P10: a certificate and its key are shown to browsers at once, and Lanward goes back to its own', async () => {
  const { private: key, cert } = await pair('console.example')
  const own = await shown()
  const saved = await ask('manager/certificate/save', { certificate: cert, key })
  expect(saved).toMatchObject({
    retCode: 0,
    data: { certificate: { source: 'uploaded', subject: 'CN=console.example' } },
  })
  expect(await shown()).toBe('CN=console.example')
  expect((await ask('manager/certificate/get')).data).toMatchObject({
    certificate: { fingerprint: new X509Certificate(cert).fingerprint256 },
  })
  await ask('manager/certificate/delete')
  expect(await shown()).toBe(own)
})

test('P10: what does not fit is refused at its field, and the certificate stays', async () => {
  const one = await pair('one.example')
  const other = await pair('other.example')
  const old = await pair('old.example', Date.now() - day)
  const locked = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
  }).privateKey
  const before = await shown()
  const rows: [object, Record<string, string>][] = [
    [{ certificate: 'hello', key: one.private }, { certificate: 'certificateFormat' }],
    [{ certificate: old.cert, key: old.private }, { certificate: 'certificateExpired' }],
    [{ certificate: `${one.cert}\n${one.private}`, key: one.private }, { certificate: 'certificateHasKey' }],
    [{ certificate: one.cert, key: other.private }, { key: 'keyOfAnother' }],
    [{ certificate: one.cert, key: `${one.private}\n${other.private}` }, { key: 'oneKey' }],
    [{ certificate: one.cert, key: locked }, { key: 'keyEncrypted' }],
    [{ certificate: one.cert, key: 'hello' }, { key: 'keyFormat' }],
  ]
  for (const [input, fields] of rows) {
    const answer = await ask('manager/certificate/save', input)
    expect([answer.retCode, answer.data]).toEqual([codes.certificateInvalid, { fields }])
  }
  const large = await ask('manager/certificate/save', { certificate: 'x'.repeat(50 * 1024 + 1), key: one.private })
  expect(large.data.fields).toEqual({ certificate: 'tooLong' })
  expect(await shown()).toBe(before)
})
