import type { TimeStyle } from '@/app/_ui/time'
import type { Authority } from '@/model/authority'
import type { MenuItem } from '@/server/menu/menu'

/** What the server knows when it draws the shell. */
export type ShellData = {
  menus: MenuItem[]
  network: { id: number; name: string } | null
  account: { account: string; username: string; role: string }
  authorities: Authority[]
  /** Addresses of screens (`{n}` is a network) that this person may not open. */
  denied: string[]
  style: TimeStyle
  version: string
  /** Name of the manager, as the wizard set it. */
  manager: string
  slim: boolean
}
