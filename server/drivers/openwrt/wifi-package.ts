import type { Package } from './package'
import { verifyWireless } from './wifi-check'
import { wifiFields } from './wifi-fields'

export const wireless: Package = {
  name: 'wireless',
  reload: 'ubus call network reload',
  lists: wifiFields.flatMap(({ option, isList }) => (isList ? [option] : [])),
  verify: verifyWireless,
}
