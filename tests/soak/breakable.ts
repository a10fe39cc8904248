import type { Driver } from '@/server/drivers/driver'
import { driverOf } from '@/server/drivers/registry/registry'

/** What a document is called that renderers break on. */
export const breaking = 'Breaks'

/** The real driver, with renderers that throw at a document of that name: for the fault alone. */
export function breakable(id: Driver<unknown>['id']): Driver<unknown> {
  const driver = driverOf(id)
  const renderers = driver.renderers.map(one => ({
    ...one,
    render(input: Parameters<typeof one.render>[0]) {
      if (input.documents.some(document => document.name.startsWith(breaking))) throw new Error('a renderer broke')
      return one.render(input)
    },
  }))
  return { ...driver, renderers }
}
