import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { ask, freePort, root } from '../appliance/_manager'
import { type LabManager, lab, manager, until } from './_lab'

describe('the manager in the lab', () => {
  let one: LabManager

  beforeAll(async () => {
    one = await manager()
  })
  afterAll(() => one?.end())

  const health = async (base: string) => (await ask(`${base}/app/health`)).status

  it('answers at the address that is reached from outside, and on loopback', async () => {
    const { addresses } = await lab.up()
    expect(one.url).toContain(addresses.manager)
    expect(await health(one.url)).toBe(200)
    expect(await health(one.local)).toBe(200)
  })

  it('comes back on the same data and ports after a stop and after a kill', async () => {
    const before = one.pid()
    await one.restart()
    expect(one.pid()).not.toBe(before)
    expect(await health(one.url)).toBe(200)
    await one.kill9()
    await expect(health(one.local)).rejects.toThrow()
    await one.restart()
    expect(await health(one.url)).toBe(200)
    expect(existsSync(one.dataDir)).toBe(true)
  })
})

/** What comes back for `sent` and a closed sending side; rejects while nobody listens. */
const exchange = (port: number, sent: Buffer) =>
  new Promise<Buffer>((done, failed) => {
    const parts: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.end(sent))
    socket.on('data', part => parts.push(part))
    socket.on('error', error =>
      'code' in error && error.code === 'ECONNREFUSED' ? failed(error) : done(Buffer.alloc(0)),
    )
    socket.on('close', () => done(Buffer.concat(parts)))
  })

describe('forward.mjs', () => {
  it('hands a connection on in both directions, half closed too, and drops it when the target refuses', async () => {
    const echo = createServer({ allowHalfOpen: true }, socket => {
      const parts: Buffer[] = []
      socket.on('data', part => parts.push(part))
      socket.on('end', () => socket.end(Buffer.concat(parts)))
    })
    await new Promise<void>(done => echo.listen(0, '127.0.0.1', done))
    const target = String((echo.address() as AddressInfo).port)
    const listen = await freePort()
    const child = spawn(process.execPath, [`${root}/appliance/lab/forward.mjs`, String(listen), '127.0.0.1', target])
    try {
      const sent = Buffer.alloc(300_000, 'x')
      expect(await until(() => exchange(listen, sent))).toEqual(sent)
      await new Promise(done => echo.close(done))
      await expect(exchange(listen, Buffer.from('x'))).resolves.toHaveLength(0)
    } finally {
      child.kill()
    }
  })
})
