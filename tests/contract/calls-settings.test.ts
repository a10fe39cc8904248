import { setUp, tryFields } from './_calls-matrix'

setUp()
tryFields(path => path.startsWith('settings/'))
