// node appliance/build/run-ts.mjs tests/contract/draw-floors.ts: draws the floors of server/ into ARCHITECTURE.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { withPicture } from './_floors-picture'
import { rooms } from './_rooms'

const file = 'ARCHITECTURE.md'
writeFileSync(file, withPicture(readFileSync(file, 'utf8'), rooms))
