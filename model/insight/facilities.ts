/** Facilities of syslog, by their numbers (RFC 5424, section 6.2.1). */
export const facilities = [
  ...(['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp'] as const),
  ...(['ntp', 'audit', 'alert', 'clock', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5'] as const),
  ...(['local6', 'local7'] as const),
] as const
