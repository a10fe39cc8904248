import { kindIds } from '@/model/registry'
import { diffConfigs } from '@/server/devices/change/plan/diff'
import type { NativeBlock } from '@/server/drivers/driver'
import { times } from '../_sample'
import { shownSecrets } from '../soak/fuzz'
import { randomOf } from '../soak/random'

const none = { blocks: [] }
/** Pushed for the first time, and taken off again. */
const shownLines = (blocks: NativeBlock[]) =>
  [diffConfigs({ blocks }, none, new Set()), diffConfigs(none, { blocks }, new Set())]
    .flat()
    .flatMap(block => block.lines.map(line => line.text))

test.each(kindIds)(
  'wherever a mark of secrets stands in %s or in what is written for it, no secret is shown',
  async kind => {
    expect(await shownSecrets(kind, times(4, 1), randomOf(5), shownLines)).toEqual([])
  },
)
