import { randomInt } from 'node:crypto'
import spokenDigits from './spoken-digits.json'

/** Samples a second, a byte each, 128 is silence: as `spoken-digits.json` has them (made by appliance/build/spoken-digits.mjs). */
const rate = 8000
const between = (from: number, to: number) => from + (to - from) * (randomInt(0, 1000) / 1000)

/** One digit, a little faster or slower, and so higher or lower, than it was recorded. */
function speak(digit: string): number[] {
  const clip = Buffer.from(spokenDigits[Number(digit)] ?? '', 'base64')
  const speed = between(0.94, 1.06)
  return Array.from({ length: Math.floor((clip.length - 1) / speed) }, (_, n) => {
    const at = n * speed
    const [low, high] = [clip[Math.floor(at)] ?? 128, clip[Math.ceil(at)] ?? 128]
    return low + (high - low) * (at - Math.floor(at))
  })
}

const silence = (seconds: number) => Array.from({ length: Math.round(seconds * rate) }, () => 128)
const withHiss = (sample: number) => Math.max(0, Math.min(255, Math.round(sample + between(-3, 3))))

function wavHeader(bytes: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  // PCM, one channel.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return header
}

/** Digits read out in English with pauses between them: a WAV file, about 45 kB for five. */
export function speakCode(answer: string): Buffer {
  const samples = [...answer].flatMap(digit => [...silence(between(0.45, 0.75)), ...speak(digit)])
  const data = Buffer.from([...samples, ...silence(0.3)].map(withHiss))
  return Buffer.concat([wavHeader(data.length), data])
}
