import type { Package } from './package'
import { verifyWireless } from './wifi-check'

export const wireless: Package = {
  name: 'wireless',
  reload: 'ubus call network reload',
  lists: ['hostapd_bss_options', 'maclist', 'r0kh', 'r1kh', 'radius_auth_req_attr'],
  verify: verifyWireless,
}
