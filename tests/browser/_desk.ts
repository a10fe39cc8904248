import { type Console, databaseOf, openConsole } from './_setup'

// The front desk, and somebody who is there for guests alone.

export const place = '/network/1/guests/desk'
export type Voucher = { id: number; code: string; note: string }

/** A console whose account `desk1` is a guest editor, with the owner's password. */
export async function openDesk(): Promise<Console> {
  const one = await openConsole('Quay')
  const database = databaseOf(one.manager)
  const desk = database
    .prepare(
      `INSERT INTO accounts (organization, account, username, role, password, password_changed_at, state, created_at)
       SELECT organization, 'desk1', 'Ines', 'guestEditor', password, password_changed_at, state, created_at FROM accounts WHERE id = 1`,
    )
    .run().lastInsertRowid
  database.prepare('INSERT INTO account_networks (account, network) VALUES (?, 1)').run(desk)
  database.close()
  return one
}

/** What stands at the desk, and what a person does there. */
export function deskOf(opened: () => Console) {
  const page = () => opened().page
  const card = () => page().locator('.desk-card')
  return {
    card,
    button: (name: string | RegExp) => page().getByRole('button', { name, exact: true }),
    dialog: () => page().getByRole('dialog'),
    row: (text: string) => page().locator('.desk-row').filter({ hasText: text }),
    preset: (name: string) => page().locator('.desk-preset').filter({ hasText: name }),
    toast: (text: string) => page().locator('.toast').filter({ hasText: text }).last().waitFor(),
    shownCode: async () => (await card().locator('.voucher-code').textContent()) ?? '',
    /** What waits in the browser to be sent. */
    kept: () => page().evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('front-desk'))),
    async sold(note: string): Promise<Voucher[]> {
      const { result } = (await opened().client.must('vouchers/desk/find', { networkId: 1, search: note })) as {
        result: Voucher[]
      }
      return result.filter(voucher => voucher.note === note)
    },
    /** A device by the MAC is in by this voucher, as the portal writes it down. */
    use(voucher: number, mac: string): void {
      const database = databaseOf(opened().manager)
      const now = Date.now()
      database.prepare('INSERT INTO voucher_devices (voucher, mac, first_at) VALUES (?, ?, ?)').run(voucher, mac, now)
      database
        .prepare('UPDATE vouchers SET first_used_at = ?, used_seconds = 3000, counted_at = ? WHERE id = ?')
        .run(now, now, voucher)
      database.close()
    },
  }
}
