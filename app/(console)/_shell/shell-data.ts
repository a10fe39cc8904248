import type { TimeStyle } from '@/app/_ui/time'
import type { Authority, ShareAccess } from '@/model/authority'
import type { MenuItem } from '@/server/people/access/menu'
import type { SettingsPlace } from './places'

/** Whose a network is: one's own organization's, or shared by another to be read or co-managed. */
export type Access = 'own' | ShareAccess
/** The network on the screen; `shareStatus` 1: shared out, 2: shared in. */
export type ShownNetwork = { id: number; name: string; access: Access; shareStatus: number }

/** What the server knows when it draws the shell. */
export type ShellData = {
  menus: MenuItem[]
  network: { id: number; name: string; access: Access } | null
  /** `role` as people call it. */
  account: { id: number; account: string; username: string; role: string }
  authorities: Authority[]
  /** Addresses of screens (`{n}` is a network) that this person may not open. */
  denied: string[]
  /** For the search: the kinds of settings that this person may read. */
  settings: SettingsPlace[]
  style: TimeStyle
  version: string
  /** Name of the manager, as the wizard set it. */
  manager: string
  slim: boolean
  /** What the account has seen of the guide (model/guide.ts), and whether it is the main account. */
  guideStep: number
  mainAccount: boolean
}
