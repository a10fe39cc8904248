import { at, fromDescription, type Vendor } from './vendor'

// Accton makes switches for Edgecore and others: the same tree below a number a model.

/** switchMgt and sysResourceMgt below `root`. */
const accton = (root: string): Required<Pick<Vendor, 'facts' | 'health'>> => {
  const unit = (column: number) => at(`${root}.1.1.3.1.${column}`, { pick: 'first' })
  return {
    facts: {
      model: [at(`${root}.1.1.5.1.0`), fromDescription(/\b((?:ECS|ES|AS|S)\d{4}[\w-]*)/)],
      serial: [unit(10)],
      firmware: [unit(6)],
      hardware: [unit(2)],
      boot: [unit(5)],
    },
    health: {
      cpuPercent: [at(`${root}.1.39.2.1.0`)],
      temperatureCelsius: [at(`${root}.1.1.11.1.3`, { pick: 'max', skipZero: true })],
    },
  }
}

/** The last number of sysObjectID, from 101 on, tells variants of one model apart. */
const modelRoot = (number: string) => number.replace(/\.1\d\d$/, '')

const edgecore: Vendor = {
  name: 'Edgecore',
  enterprises: ['259'],
  roles: [{ role: 'ap', description: /access point|\bEAP\d/i }, { role: 'switch' }],
  ofModel: number => accton(modelRoot(number)),
}

/** FS switches of the S3900 line (FS-MIB). */
const fs: Vendor = {
  name: 'FS',
  enterprises: ['52642', '13464'],
  roles: [{ role: 'switch' }],
  ...accton('52642.2.1.45'),
  lists: {
    powerSupplies: [
      {
        name: 'switchIndivPowerTable',
        entry: '52642.2.1.45.1.1.6.1',
        fields: { state: { column: 3, means: { 1: 'absent', 2: 'ok', 3: 'failed' } } },
      },
    ],
  },
}

export const acctonRows: readonly Vendor[] = [edgecore, fs]
