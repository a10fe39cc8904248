# A gateway, a switch, an access point, two clients, and the internet; off until somebody puts them on: a second switch
# (Linux with Open vSwitch) and a client on it.
devices='inet sw1 gw ap1 c1 c2'
spare='sw2 c3'
# While it runs the lab is taken as up.
first=gw

wire_site() {
  local port
  cable gw eth1 sw1 p1
  cable ap1 eth0 sw1 p2
  pair c1 eth0 sw1 p3
  pair c2 eth0 sw1 p4
  pair gw eth2 sw1 p5
  pair sw2 p1 sw1 p6
  pair sw2 p4 sw1 p7
  pair c3 eth0 sw2 p2
  pair wires free3 sw2 p3
  cable mgr eth0 sw1 p8
  pair gw eth0 inet eth0
  pair gw eth3 inet eth1
  pair ap1 wlan0 wires ap1-air
  for port in 1 2 3 4 5 6 7 8; do mac sw1 "p$port" "2$port"; done
  mac inet eth0 f1; mac gw eth0 f2; mac inet eth1 f3; mac gw eth1 01; mac gw eth2 04; mac gw eth3 f4; mac ap1 eth0 03; mac ap1 wlan0 33; mac c1 eth0 c1; mac c2 eth0 c2; mac c3 eth0 c3; mac mgr eth0 0a
  # The switch forwards in user space and fills in no checksums, so whoever hangs on it must not offload them.
  for port in 'gw eth1' 'gw eth2' 'ap1 eth0' 'c1 eth0' 'c2 eth0' 'c3 eth0' 'mgr eth0'; do
    on ${port% *} chroot "$(<"$state/root")" ethtool -K "${port#* }" tx off >/dev/null 2>&1
  done
}
