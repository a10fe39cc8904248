import { readFileSync } from 'node:fs'
import { lab } from './_lab'

/** What OpenWrt's boot does with files left for it (/etc/init.d/boot), and netifd with the radios then. */
const boot = `
( cd /etc/uci-defaults && for file in *; do [ -f "$file" ] && ( . ./$file ) && rm -f $file; done )
cp /etc/config/wireless /tmp/ubus-wireless
/etc/init.d/firewall start
`

/** Makes the lab's switch an OpenWrt, as far as a push goes: `wireless` is what uci shows of its radios. */
export async function becomeOpenwrt(wireless: string): Promise<void> {
  await lab.sh('sw1', 'mkdir -p /etc/init.d')
  for (const [name, path] of Object.entries({ uci: '/usr/sbin', ubus: '/usr/sbin', firewall: '/etc/init.d' }))
    await lab.in('sw1', ['sh', '-c', `cat >${path}/${name} && chmod 755 ${path}/${name}`], {
      input: readFileSync(`${process.cwd()}/tests/lab/openwrt/${name}`, 'utf8'),
    })
  await lab.in('sw1', ['sh', '-c', 'mkdir -p /etc/config /etc/uci-defaults && cat >/etc/config/wireless'], {
    input: wireless,
  })
  // Every script of ours is then read by busybox, as on OpenWrt.
  await lab.sh(
    'sw1',
    'ln -sf /bin/busybox /bin/sh; cp /etc/config/wireless /tmp/ubus-wireless; /etc/init.d/firewall start',
  )
  await lab.in('sw1', ['sh', '-c', 'cat >>/etc/lab/init'], { input: boot })
}
