import nextJest from 'next/jest.js'

const make = nextJest({ dir: `${import.meta.dirname}/..` })({
  rootDir: `${import.meta.dirname}/..`,
  testEnvironment: 'node',
  // Not in the temporary folder: a run has one of its own, and this is to outlive it.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testMatch: ['<rootDir>/tests/**/*.test.{ts,tsx}'],
  testPathIgnorePatterns: ['/node_modules/', '/.next/'],
  modulePathIgnorePatterns: ['<rootDir>/.next/', '<rootDir>/dist/'],
  moduleNameMapper: { '^@/(.*)$': '<rootDir>/$1' },
  // In the sandbox each look at a global goes through jest; the database's library looks at this one for every column.
  sandboxInjectedGlobals: ['Object'],
  // Only for what hangs: a busy machine is slow, not wrong.
  testTimeout: 600_000,
})
// Packages that ship only ES modules.
const esm = [
  'next-intl',
  'use-intl',
  'intl-messageformat',
  '@formatjs',
  '@scure',
  '@noble',
  'icu-minify',
  '@schummar',
  '@seriousme',
]

export default async () => ({ ...(await make()), transformIgnorePatterns: [`/node_modules/(?!(${esm.join('|')})/)`] })
