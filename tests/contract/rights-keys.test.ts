// Every call by an API key.
import { setUp, tryRows } from './_rights-matrix'

setUp()
tryRows('keys')
