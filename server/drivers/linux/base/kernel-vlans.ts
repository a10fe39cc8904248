// Whether the kernel has VLANs (802.1Q), a part of the script that reads a device: nothing is loaded to find out. Built in
// or loaded, it has the folder. Without, it is known to be missing where the kernel takes no modules, or where the modules
// of the running kernel lie on the device and it is not among them: a container's kernel has them elsewhere.

export const kernelVlansScript = String.raw`
lacks_vlans() {
  [ ! -e /proc/net/vlan ] || return 1
  [ -e /proc/modules ] || return 0
  modules=/lib/modules/$(uname -r)
  [ -s "$modules/modules.dep" ] && ! grep -qs '/8021q\.ko' "$modules/modules.dep" "$modules/modules.builtin"
}
part kernel-vlans; lacks_vlans && echo none; done_ 0
`
