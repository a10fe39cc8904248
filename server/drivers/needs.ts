import type { Facts } from './observation'
import type { Need } from './words'

/** The first of these that the device lacks. */
export const missingNeed = ({ capabilities }: Pick<Facts, 'capabilities'>, needs: readonly Need[]): Need | undefined =>
  needs.find(need => !capabilities.includes(need))
