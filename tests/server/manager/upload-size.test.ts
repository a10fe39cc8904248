import { readdirSync } from 'node:fs'
import { codes } from '@/model/codes'
import { startTestManager } from '../_manager'

test('a backup that cannot fit the disk on its way is refused before it is stored, with what it needs', async () => {
  const manager = await startTestManager()
  try {
    const browser = manager.browser()
    expect((await browser.post('wizard/unlock', { code: manager.runtime.setupCode })).retCode).toBe(0)
    const upload = async (bytes: number) => {
      const headers = { 'content-type': 'application/octet-stream', 'content-length': String(bytes) }
      const answer = await browser.raw('wizard/restore/upload', { method: 'POST', headers, body: 'x'.repeat(10) })
      return (await answer.json()) as { retCode: number; data: { needed: number; free: number } }
    }
    const huge = await upload(1e15)
    expect(huge.retCode).toBe(codes.backupNoSpace)
    expect(huge.data.needed).toBe(Math.ceil(3e15 / 1024 / 1024))
    expect(huge.data.free).toBeGreaterThan(0)
    // One that fits is looked at, and is no backup.
    expect((await upload(10)).retCode).not.toBe(codes.backupNoSpace)
    expect(readdirSync(manager.data, { recursive: true }).filter(name => String(name).endsWith('.partial'))).toEqual([])
  } finally {
    await manager.stop()
  }
})
