# An access point alone, its cable in the manager.
devices=ap1
spare=
first=ap1

wire_site() {
  cable ap1 eth0 mgr eth0
  pair ap1 wlan0 wires ap1-air
  mac ap1 eth0 03; mac ap1 wlan0 33; mac mgr eth0 0a
}
