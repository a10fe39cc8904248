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
    'fontkit',
    'pdfkit',
    'subset-font',
  ],
  outputFileTracingExcludes: { '*': ['data/**', 'tests/**'] },
  turbopack: { root: import.meta.dirname },
  // `npm test` checks types beside the build, once.
  typescript: { ignoreBuildErrors: process.env.LANWARD_TYPES === 'checked beside' },
}

export default withNextIntl(config)
