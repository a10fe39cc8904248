import createNextIntlPlugin from 'next-intl/plugin'

const withNextIntl = createNextIntlPlugin('./app/_i18n/request.ts')

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  // Nothing is drawn by the image optimizer: it would fetch and convert for anybody.
  images: { unoptimized: true },
  serverExternalPackages: [
    'better-sqlite3',
    'ssh2',
    'net-snmp',
    '@node-rs/argon2',
    'tar',
    'nodemailer',
    'node-cron',
    '@node-saml/node-saml',
    'ldapts',
    '@xmldom/xmldom',
    // Finds its WebAssembly beside itself.
    'subset-font',
  ],
  outputFileTracingExcludes: { '*': ['data/**', 'tests/**'] },
  turbopack: { root: import.meta.dirname },
  // A run of tests checks them once, after the build, with what it makes of the routes.
  typescript: { ignoreBuildErrors: process.env.LANWARD_TYPES === 'checked after' },
}

export default withNextIntl(config)
