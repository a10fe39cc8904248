import { readFileSync } from 'node:fs'
import { type Device, lab } from './_lab'

/** What OpenWrt's boot does with files left for it (/etc/init.d/boot), and netifd with the radios then. */
const boot = `
( cd /etc/uci-defaults && for file in *; do [ -f "$file" ] && ( . ./$file ) && rm -f $file; done )
cp /etc/config/wireless /tmp/ubus-wireless
/etc/init.d/firewall start
`

const programs = {
  uci: '/usr/sbin',
  ubus: '/usr/sbin',
  firewall: '/etc/init.d',
  uhttpd: '/etc/init.d',
  wget: '/usr/bin',
}

async function laySystem(device: Device, names: readonly (keyof typeof programs)[]): Promise<void> {
  await lab.sh(device, 'mkdir -p /etc/init.d /etc/config /etc/uci-defaults')
  for (const name of names)
    await lab.in(device, ['sh', '-c', `cat >${programs[name]}/${name} && chmod 755 ${programs[name]}/${name}`], {
      input: readFileSync(`${process.cwd()}/tests/lab/openwrt/${name}`, 'utf8'),
    })
}

/** Makes the lab's switch an OpenWrt, as far as a push goes: `wireless` is what uci shows of its radios. */
export async function becomeOpenwrt(wireless: string): Promise<void> {
  await laySystem('sw1', ['uci', 'ubus', 'firewall'])
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

/** What netifd, procd and fw4 do at a boot of the gateway: the guests' bridge, its addresses, the firewall, then news of it. */
const gatewayBoot = (prefix6: string) => `#!/bin/sh
/etc/init.d/firewall start
# A bridge there has its port's MAC address, at each boot the same: clients know it.
ovs-vsctl --may-exist add-port br-lan br-lw20 tag=20 -- set interface br-lw20 type=internal 'mac="02:00:5e:10:00:14"'
ethtool -K br-lw20 tx off >/dev/null 2>&1
sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
ip link set br-lw20 up
ip addr replace 192.168.20.1/24 dev br-lw20
ip -6 addr replace ${prefix6}::1/64 dev br-lw20 nodad
dnsmasq --conf-file=/dev/null --interface=br-lw20 --except-interface=lo --bind-dynamic --no-resolv --no-hosts \
  --dhcp-range=192.168.20.100,192.168.20.150,1h --dhcp-range=::,constructor:br-lw20,ra-only,64 --enable-ra \
  --host-record=www.internet.test,203.0.113.1 --dhcp-leasefile=/tmp/guests.leases --pid-file=/run/guests-dnsmasq.pid
/etc/init.d/uhttpd start
ACTION=ifup; INTERFACE=lw_lan20
for one in /etc/hotplug.d/iface/*; do [ ! -e "$one" ] || ( . "$one" ); done
`
const bootUnit = `[Unit]
After=lab-trunk.service nftables.service network.target
[Service]
Type=oneshot
RemainAfterExit=yes
KillMode=none
ExecStart=/etc/lab/openwrt-boot
[Install]
WantedBy=multi-user.target
`
/** Tools that scripts of ours call: busybox's own, as there. */
const applets = ['sh', 'awk', 'sed', 'grep', 'cut', 'tr', 'wc', 'cat', 'hexdump', 'sha256sum', 'date', 'flock', 'tail']

/** Makes the lab's gateway an OpenWrt with a network of guests in VLAN 20; `trunkOn` first. */
export async function becomeOpenwrtGateway(prefix6: string): Promise<void> {
  await laySystem('gw', ['uci', 'ubus', 'firewall', 'uhttpd', 'wget'])
  await lab.sh('gw', ': >/etc/config/wireless')
  await lab.in('gw', ['sh', '-c', 'cat >/etc/lab/openwrt-boot && chmod 755 /etc/lab/openwrt-boot'], {
    input: gatewayBoot(prefix6),
  })
  await lab.in('gw', ['sh', '-c', 'cat >/etc/systemd/system/openwrt-boot.service'], { input: bootUnit })
  await lab.sh(
    'gw',
    `sed -i 's/"lan20"/"br-lw20", "lan20"/' /etc/nftables.conf && systemctl restart nftables
for one in ${applets.join(' ')}; do ln -sf /bin/busybox "/usr/bin/$one"; done
systemctl daemon-reload && systemctl enable --now openwrt-boot`,
  )
}
