// One print of the bench: a job on the standard input, what drawing it took on the standard output.
import { text } from 'node:stream/consumers'
import { drawVouchers, type PrintJob } from '@/server/guests/vouchers/print/draw'

const job = JSON.parse(await text(process.stdin)) as PrintJob
/** The most that was ever held, MB; the kernel counts KiB. */
const peakNow = () => (process.resourceUsage().maxRSS * 1024) / 1e6
const before = peakNow()
const from = performance.now()
const { pdf } = await drawVouchers(job)
const seconds = (performance.now() - from) / 1000
console.log(JSON.stringify({ seconds, before, peak: peakNow(), bytes: pdf.length }))
