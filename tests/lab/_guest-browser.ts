// Chromium as a guest's device has it: in the network of c1 or c2, with the name server that its lease says.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type BrowserContext, chromium } from 'playwright-core'
import { executablePath, flags, patienceMs, phone } from '../browser/_browser'
import type { Client } from './_guests'
import { lab } from './_lab'

/** What the DHCP server said, as the client's own script noted it. */
export async function leaseOf(guest: Client): Promise<Record<string, string>> {
  const { stdout } = await lab.sh(guest, 'cat /run/lease')
  return Object.fromEntries(
    [...stdout.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** The process on this machine in whose network the device is. */
async function initOf(guest: Client): Promise<number> {
  const { state } = await lab.up()
  await lab.in(guest, ['true'])
  return Number.parseInt(readFileSync(`${state}/${guest}/init`, 'utf8'), 10)
}

export type GuestBrowser = { context: BrowserContext; close(): Promise<void> }

export async function guestBrowser(guest: Client, { scripts = true } = {}): Promise<GuestBrowser> {
  const folder = mkdtempSync(`${tmpdir()}/lanward-guest-`)
  const { dns = '' } = await leaseOf(guest)
  writeFileSync(`${folder}/resolv.conf`, `nameserver ${dns}\n`)
  const program = `${folder}/chromium`
  const line = `mount --bind ${folder}/resolv.conf /etc/resolv.conf && exec ${executablePath} "$@"`
  writeFileSync(
    program,
    `#!/bin/sh\nexec nsenter -t ${await initOf(guest)} -n unshare -m sh -c '${line}' chromium "$@"\n`,
  )
  chmodSync(program, 0o755)
  const context = await chromium.launchPersistentContext(`${folder}/profile`, {
    ...{ executablePath: program, timeout: patienceMs, args: flags, headless: true },
    ...{ locale: 'en-GB', viewport: phone, javaScriptEnabled: scripts },
  })
  context.setDefaultTimeout(patienceMs)
  return {
    context,
    async close() {
      await context.close()
      // A helper of the browser that ends a moment later may still write there.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}
