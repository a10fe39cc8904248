import type { Page } from 'playwright-core'

/** Opens a section that is closed while all of it is as by default. */
export const openFold = (page: Page, title: string): Promise<void> =>
  page.locator('summary').filter({ hasText: title }).click()

/** Puts a Wi-Fi network into a VLAN that no LAN here has. */
export async function typeVlan(page: Page, vlan: string): Promise<void> {
  await page.getByLabel('LAN (VLAN)').click()
  await page.getByRole('option', { name: 'Another VLAN…' }).click()
  await page.getByLabel('VLAN', { exact: true }).fill(vlan)
}
