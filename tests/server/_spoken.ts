import spokenDigits from '@/server/people/sign-in/spoken-digits.json'

/** Above the hiss. */
const quiet = 8
/** Samples of silence between two digits; the stop inside "six" is shorter. */
const pause = 2000

/** From the first sound to the last, wherever it is silent for a while. */
function words(samples: readonly number[]): number[][] {
  const heard = samples.flatMap((one, at) => (Math.abs(one) > quiet ? [at] : []))
  const starts = heard.filter((at, n) => n === 0 || at - (heard[n - 1] ?? 0) > pause)
  return starts.map((from, n) => {
    const to = heard.findLast(at => at < (starts[n + 1] ?? samples.length)) ?? from
    return samples.slice(from, to + 1)
  })
}

/** Loudness and pitch of 48 equal parts: the speed of a digit does not matter. */
function shape(word: readonly number[]): number[] {
  return Array.from({ length: 48 }, (_, n) => {
    const part = word.slice((n * word.length) / 48, ((n + 1) * word.length) / 48)
    const loudness = part.reduce((sum, one) => sum + Math.abs(one), 0) / part.length / 30
    const crossings = part.filter((one, at) => one > 4 !== (part[at - 1] ?? one) > 4).length
    return [loudness, (4 * crossings) / part.length]
  }).flat()
}

const samplesOf = (bytes: Buffer) => [...bytes].map(byte => byte - 128)
const clips = spokenDigits.map(one => shape(words(samplesOf(Buffer.from(one, 'base64')))[0] ?? []))
const apart = (a: number[], b: number[]) => a.reduce((sum, one, at) => sum + (one - (b[at] ?? 0)) ** 2, 0)

/** Reads a spoken code (a WAV file in base64) by its likeness to the recordings. */
export function heardIn(audio: string): string {
  return words(samplesOf(Buffer.from(audio, 'base64').subarray(44)))
    .map(word => {
      const distances = clips.map(clip => apart(shape(word), clip))
      return distances.indexOf(Math.min(...distances))
    })
    .join('')
}
