// What is made of limits is in golden/linux/shaping, golden/linux/wifi-shaping, golden/openwrt/limits.
import { unmanagedQueues } from '@/server/drivers/unix/tables'

test('queues of the system and of ours are nobody else’s', () => {
  const shown = `qdisc noqueue 0: dev lo root refcnt 2
qdisc mq 0: dev eth0 root
qdisc fq_codel 0: dev eth0 parent :1 limit 10240p
qdisc htb 4c57: dev eth1 root refcnt 3 r2q 10
qdisc cake 8001: dev eth2 root refcnt 2
qdisc htb 1: dev eth3 root refcnt 2`
  expect([...unmanagedQueues(shown)]).toEqual([
    ['eth2', 'cake'],
    ['eth3', 'htb'],
  ])
})
