import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { PrintJob } from '@/server/guests/vouchers/print/draw'
import { root } from '../appliance/_manager'
import { type Row, row } from './table'

const count = 1000
const base: PrintJob = {
  ...{ fonts: `${root}/node_modules/@fontsource-variable`, format: 'a4', perPage: 18, qr: 'voucher', rtl: false },
  ...{ locale: 'en', title: 'Bench', heading: 'Harbour House', sub: 'Wi-Fi: Quay', label: 'Voucher' },
  ...{ facts: ['1 day 12 hours', 'Devices: 2', '500 MB'], captions: ['1. Wi-Fi', '2. Sign in'] },
  alternatives: ['QR code: join the Wi-Fi network Quay', 'QR code: open the sign-in page with this voucher'],
  vouchers: Array.from({ length: count }, (_, at) => ({
    shown: `RJW-8EA-${String(at).padStart(3, '0')}`,
    qrs: [`http://192.0.2.1/?voucher=RJW8EA${String(at).padStart(3, '0')}`],
    own: ['Valid until Dec 31, 2027'],
  })),
}
const both = base.vouchers.map(one => ({ ...one, qrs: ['WIFI:T:WPA;S:Quay;P:correct horse;;', ...one.qrs] }))
const arabic = {
  ...{ rtl: true, locale: 'ar', heading: 'فندق الميناء', sub: 'شبكة الضيوف: Quay', label: 'رمز الدخول' },
  facts: ['يوم واحد و12 ساعة', 'الأجهزة: 2', '500 ميغابايت'],
}
const jobs: Readonly<Record<string, Partial<PrintJob>>> = {
  'A4, 18 a page': {},
  'A4, 18 a page, both codes': { qr: 'both', vouchers: both },
  'roll of 58 mm': { format: 'roll58' },
  'A4 in Arabic': arabic,
}

type Measured = { seconds: number; before: number; peak: number; bytes: number }
/** One job in a process of its own, so that its memory is its own. */
async function measured(job: PrintJob): Promise<Measured> {
  const child = spawn(process.execPath, ['appliance/build/run-ts.mjs', 'tests/bench/print-one.ts'], {
    ...{ cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
  })
  let said = ''
  child.stdout.on('data', part => {
    said += part
  })
  child.stdin.end(JSON.stringify(job))
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`drawing ended with ${status}`)
  return JSON.parse(said) as Measured
}

/** A thousand vouchers as a PDF, as the manager's thread draws them. */
export async function measurePrint(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, own] of Object.entries(jobs)) {
    const { seconds, before, peak, bytes } = await measured({ ...base, ...own })
    rows.push(
      row(`${count} vouchers, ${name}: time`, seconds, 's', 10),
      row(
        `${count} vouchers, ${name}: memory at most, beside the ${before.toFixed(0)} MB of a process that begins`,
        peak - before,
        'MB',
        undefined,
        0,
      ),
      row(`${count} vouchers, ${name}: the file`, bytes / 1e6, 'MB', undefined),
    )
  }
  return rows
}
