import { isOn, isOnAir } from '../uci/importable'

/** In which words an option says the same. */
export type Meaning = {
  /** What holds where the option is not set. */
  otherwise?: string
  /** Its values in one set of words. */
  said(values: readonly string[]): string
}

export const flag = (otherwise: boolean): Meaning => ({
  otherwise: otherwise ? '1' : '0',
  said: ([value]) => (isOn(value, otherwise) ? '1' : '0'),
})
export const airFlag: Meaning = { otherwise: '0', said: ([value]) => (isOnAir(value) ? '1' : '0') }
export const plain = (otherwise: string): Meaning => ({ otherwise, said: values => values.join(' ') })
export const word = (said: (value: string) => string, otherwise?: string): Meaning => ({
  said: ([value = '']) => said(value),
  ...(otherwise !== undefined && { otherwise }),
})
