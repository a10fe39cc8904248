// Which calls may use what is kept free for a full disk.
import { frees } from '@/server/kernel/reserve'

test.each([
  'login',
  'logout',
  'sso/redirect',
  'sso/acs',
  'mfa/setup',
  'mfa/enable',
  'networks/delete',
  'alerts/delete-all',
  'sessions/end-others',
  'guests/remove',
  'guests/forget',
  'clients/clear',
  'clients/unblock',
  'certificates/revoke',
  'import/release',
  'vouchers/desk/void',
  'changes/discard',
  'networks/transfer/cancel',
])('%s lets somebody in, or takes something away: it may', path => expect(frees(path)).toBe(true))

test.each([
  'networks/add',
  'login/',
  'account/save',
  'feedback/send',
  'vouchers/desk/extend',
  'clients/block',
  'delete',
])('%s may not', path => expect(frees(path)).toBe(false))
