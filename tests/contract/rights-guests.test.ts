// Every call as somebody of another organization, with whom networks are shared.
import { setUp, tryRows } from './_rights-matrix'

setUp()
tryRows('guests')
