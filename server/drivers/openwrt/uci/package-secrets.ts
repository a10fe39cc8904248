/** Package of /etc/config → its options whose value is a secret. */
const secretOptions: Readonly<Record<string, readonly string[]>> = {
  network: ['password'],
  ddns: ['password'],
  uhttpd: ['lanward_key'],
  wireless: ['key', 'auth_secret', 'acct_secret', 'dae_secret', 'r0kh', 'r1kh'],
}

/** Whether an option's value is a secret, which is shown to nobody; `config` is the package's name. */
export const isSecret = (config: string, option: string): boolean => secretOptions[config]?.includes(option) ?? false
