import type { Messages } from 'next-intl'

/** Every namespace of words; a contract test holds this list against the files under locales/en. */
export const areas = [
  'account',
  'activation',
  'adoption',
  'alertTypes',
  'alerts',
  'api',
  'backups',
  'certificate',
  'change',
  'changelog',
  'clientCheck',
  'clients',
  'codes',
  'common',
  'dashboard',
  'desk',
  'devices',
  'errors',
  'events',
  'feedback',
  'firewall',
  'form',
  'guests',
  'guide',
  'help',
  'import',
  'internet',
  'lan',
  'ldap',
  'logRules',
  'logs',
  'mail',
  'manager',
  'menu',
  'metrics',
  'mfa',
  'networks',
  'openapi',
  'portal',
  'profiles',
  'radius',
  'reasons',
  'records',
  'recovery',
  'roles',
  'saml',
  'security',
  'shell',
  'signIn',
  'signUp',
  'system',
  'topology',
  'traffic',
  'troubleshooting',
  'users',
  'vouchers',
  'webhooks',
  'wifi',
  'wizard',
] as const satisfies readonly (keyof Messages)[]

// A key that English lacks compiles nowhere.
declare module 'next-intl' {
  interface AppConfig {
    Messages: {
      account: typeof import('@/locales/en/account.json')
      activation: typeof import('@/locales/en/activation.json')
      adoption: typeof import('@/locales/en/adoption.json')
      alertTypes: typeof import('@/locales/en/alertTypes.json')
      alerts: typeof import('@/locales/en/alerts.json')
      api: typeof import('@/locales/en/api.json')
      backups: typeof import('@/locales/en/backups.json')
      certificate: typeof import('@/locales/en/certificate.json')
      change: typeof import('@/locales/en/change.json')
      changelog: typeof import('@/locales/en/changelog.json')
      clientCheck: typeof import('@/locales/en/clientCheck.json')
      clients: typeof import('@/locales/en/clients.json')
      codes: typeof import('@/locales/en/codes.json')
      common: typeof import('@/locales/en/common.json')
      dashboard: typeof import('@/locales/en/dashboard.json')
      desk: typeof import('@/locales/en/desk.json')
      devices: typeof import('@/locales/en/devices.json')
      errors: typeof import('@/locales/en/errors.json')
      events: typeof import('@/locales/en/events.json')
      feedback: typeof import('@/locales/en/feedback.json')
      firewall: typeof import('@/locales/en/firewall.json')
      form: typeof import('@/locales/en/form.json')
      guests: typeof import('@/locales/en/guests.json')
      guide: typeof import('@/locales/en/guide.json')
      help: typeof import('@/locales/en/help.json')
      import: typeof import('@/locales/en/import.json')
      internet: typeof import('@/locales/en/internet.json')
      lan: typeof import('@/locales/en/lan.json')
      ldap: typeof import('@/locales/en/ldap.json')
      logRules: typeof import('@/locales/en/logRules.json')
      logs: typeof import('@/locales/en/logs.json')
      mail: typeof import('@/locales/en/mail.json')
      manager: typeof import('@/locales/en/manager.json')
      menu: typeof import('@/locales/en/menu.json')
      metrics: typeof import('@/locales/en/metrics.json')
      mfa: typeof import('@/locales/en/mfa.json')
      networks: typeof import('@/locales/en/networks.json')
      openapi: typeof import('@/locales/en/openapi.json')
      portal: typeof import('@/locales/en/portal.json')
      profiles: typeof import('@/locales/en/profiles.json')
      radius: typeof import('@/locales/en/radius.json')
      reasons: typeof import('@/locales/en/reasons.json')
      records: typeof import('@/locales/en/records.json')
      recovery: typeof import('@/locales/en/recovery.json')
      roles: typeof import('@/locales/en/roles.json')
      saml: typeof import('@/locales/en/saml.json')
      security: typeof import('@/locales/en/security.json')
      shell: typeof import('@/locales/en/shell.json')
      signIn: typeof import('@/locales/en/signIn.json')
      signUp: typeof import('@/locales/en/signUp.json')
      system: typeof import('@/locales/en/system.json')
      topology: typeof import('@/locales/en/topology.json')
      traffic: typeof import('@/locales/en/traffic.json')
      troubleshooting: typeof import('@/locales/en/troubleshooting.json')
      users: typeof import('@/locales/en/users.json')
      vouchers: typeof import('@/locales/en/vouchers.json')
      webhooks: typeof import('@/locales/en/webhooks.json')
      wifi: typeof import('@/locales/en/wifi.json')
      wizard: typeof import('@/locales/en/wizard.json')
    }
  }
}
