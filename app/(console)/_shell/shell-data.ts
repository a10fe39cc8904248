import type { TimeStyle } from '@/app/_ui/time'
import type { MenuItem } from '@/server/menu/menu'

/** What the server knows when it draws the shell. */
export type ShellData = {
  menus: MenuItem[]
  network: { id: number; name: string } | null
  account: { account: string; username: string; role: string }
  authorities: string[]
  style: TimeStyle
  version: string
  /** Name of the manager, as the wizard set it. */
  manager: string
  slim: boolean
}
