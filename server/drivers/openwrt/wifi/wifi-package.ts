import { wifiFields } from '../options/wifi-fields'
import type { Package } from '../uci/package'
import { verifyWireless } from './wifi-check'

export const wireless: Package = {
  name: 'wireless',
  reload: 'ubus call network reload',
  lists: wifiFields.flatMap(({ option, isList }) => (isList ? [option] : [])),
  verify: verifyWireless,
}
