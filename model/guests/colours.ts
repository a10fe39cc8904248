// A house's colours, made so that what is written on them and in them can be read (WCAG 2.2, 1.4.3 and 1.4.11).

/** `#0b6b80`. */
export type Colour = string

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

const channels = (colour: Colour): number[] => [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))

/** 0 black to 1 white, as WCAG measures. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(one => {
    const part = one / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** 1 to 21. */
export function contrast(a: Colour, b: Colour): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** White or black, whichever is read better on it: at least 4.5. */
export const on = (colour: Colour): Colour =>
  contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000'

const mixed = (from: Colour, to: Colour, share: number): Colour => {
  const target = channels(to)
  const parts = channels(from).map((one, at) => Math.round(one + ((target[at] ?? 0) - one) * share))
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

const least = 4.5
const steps = 20

/** The colour, as much lighter or darker as it takes to be read on each of these. */
export function readable(colour: Colour, grounds: readonly Colour[]): Colour {
  const to = grounds.every(one => luminance(one) > 0.18) ? '#000000' : '#ffffff'
  const tries = Array.from({ length: steps + 1 }, (_, at) => mixed(colour, to, at / steps))
  return tries.find(one => grounds.every(ground => contrast(one, ground) >= least)) ?? to
}
