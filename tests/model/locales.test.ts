import { localeOf } from '@/model/locales'

test.each([
  ['es-LA', 'es-419'],
  ['es-ES', 'es'],
  ['fn', 'fi'],
  ['gr', 'el'],
  ['zh-TW', 'zh-CN'],
  ['zh', 'zh-CN'],
  ['zh_TW', 'zh-CN'],
  ['zh_Hant_HK', 'zh-CN'],
  ['pt_BR', 'pt-BR'],
  ['es_LA', 'es-419'],
  ['zhx', 'en'],
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt'],
  ['de-AT', 'de'],
  ['EN-us', 'en'],
  ['xx', 'en'],
  ['constructor', 'en'],
  ['__proto__', 'en'],
  [undefined, 'en'],
])('L1: %s is shown in %s', (wanted, shown) => expect(localeOf(wanted)).toBe(shown))
