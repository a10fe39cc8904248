// In this order: Edge and Opera say Chrome too, Chrome says Safari.
const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chromium', /\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const
// Android says Linux too, iPhones say Mac OS X.
const systems = [
  ['Android', /\bAndroid\b/],
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

const firstOf = (table: readonly (readonly [string, RegExp])[], agent: string) =>
  table.find(([, pattern]) => pattern.test(agent))?.[0] ?? ''

/** What a User-Agent header says of the browser and its system, as names; '' where it says nothing known. */
export const agentWords = (agent: string): { browser: string; system: string } => ({
  browser: firstOf(browsers, agent),
  system: firstOf(systems, agent),
})
