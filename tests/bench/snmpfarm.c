// A farm of SNMP agents for measuring pollers: one UDP socket answers v1 and v2c for every local address it receives on
// (all of 127.0.0.0/8), and each address is a device of its own with growing counters.
//   snmpfarm [-p port] [-i interfaces] [-c N: hosts of its own in each forwarding table] [-x N: every Nth address is dead]
//     [-l loss per mille] [-r report file]
// Name, MACs and counters derive from the address asked (IP_PKTINFO); the reply leaves from that same address.
// With -r it notes the rounds of every device: a round begins with the request for sysUpTime.0 and more, and is complete
// when the last interface's ifHCOutOctets was sent. SIGUSR1 begins anew, SIGUSR2 writes "address begun-ms complete-ms"
// lines (complete 0: never), in milliseconds since SIGUSR1.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#define mostObjects 20000
#define BATCH 64
typedef struct {
  uint8_t n, t, kind, col;
  uint16_t idx;
  uint32_t o[24];
  uint8_t ber[40], bl;
} Object; // t = ASN.1 type, kind selects the value
static Object *objects;
static int objectCount;
static int interfaces = 26, hosts = 0, port = 1161, dead = 0, loss = 0;
static time_t bootedAt;

// ---- rounds, by the low 16 bits of the address
#define mostRounds 4000000
typedef struct {
  uint32_t address, begun, complete;
} Round;
static Round *rounds;
static uint32_t roundCount, open[65536]; // open: its running round's place + 1
static uint64_t notedFrom;
static volatile sig_atomic_t wanted;
static void onSignal(int signal) {
  wanted = signal;
}
static uint64_t nowMs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static void beginAnew(void) {
  memset(open, 0, sizeof open);
  roundCount = 0;
  notedFrom = nowMs();
}
static void noteBegin(uint32_t address, const uint8_t *packet, int length) {
  static const uint8_t sysUpTime[] = {0x2b, 6, 1, 2, 1, 1, 3, 0};
  if (!rounds || roundCount == mostRounds)
    return;
  // Asked as the only or last one it is a question between two rounds, whether the device is there.
  const uint8_t *found = memmem(packet, length, sysUpTime, sizeof sysUpTime);
  if (!found || found + sizeof sysUpTime + 2 == packet + length)
    return;
  uint32_t now = nowMs() - notedFrom, held = open[address & 65535];
  // Asked again within half a minute it is a repetition.
  if (held && now - rounds[held - 1].begun < 30000)
    return;
  rounds[roundCount] = (Round){address, now, 0};
  open[address & 65535] = ++roundCount;
}
static void noteComplete(uint32_t address) {
  uint32_t held = open[address & 65535];
  if (held && rounds)
    rounds[held - 1].complete = nowMs() - notedFrom;
}
static void report(const char *file) {
  char part[4096];
  snprintf(part, sizeof part, "%s.part", file);
  FILE *out = fopen(part, "w");
  if (!out)
    return;
  for (Round *one = rounds; one < rounds + roundCount; one++)
    fprintf(out, "%u.%u.%u.%u %u %u\n", one->address >> 24, one->address >> 16 & 255, one->address >> 8 & 255,
            one->address & 255, one->begun, one->complete);
  fclose(out);
  rename(part, file);
}

// ---- the objects of a device
static int compareOids(const uint32_t *a, int an, const uint32_t *b, int bn) {
  for (int i = 0; i < an && i < bn; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return an - bn;
}
static int compareObjects(const void *a, const void *b) {
  const Object *x = a, *y = b;
  return compareOids(x->o, x->n, y->o, y->n);
}
static int putSubId(uint8_t *p, uint32_t v) {
  int n = v < 128 ? 1 : v < 16384 ? 2 : v < 2097152 ? 3 : v < 268435456 ? 4 : 5;
  for (int i = n - 1; i >= 0; i--) {
    p[i] = (v & 127) | (i < n - 1 ? 128 : 0);
    v >>= 7;
  }
  return n;
}
static void add(const char *oid, int t, int kind, int col, int idx) {
  Object *e = &objects[objectCount++];
  char s[128];
  strcpy(s, oid);
  e->n = 0;
  for (char *p = strtok(s, "."); p; p = strtok(0, "."))
    e->o[e->n++] = strtoul(p, 0, 10);
  e->t = t;
  e->kind = kind;
  e->col = col;
  e->idx = idx;
  int l = 0;
  e->ber[l++] = e->o[0] * 40 + e->o[1];
  for (int i = 2; i < e->n; i++)
    l += putSubId(e->ber + l, e->o[i]);
  e->bl = l;
}
enum { INTEGER = 2, OCTETS = 4, OID = 6, COUNTER32 = 0x41, GAUGE32 = 0x42, TIMETICKS = 0x43, COUNTER64 = 0x46 };
static void build(void) {
  objects = calloc(mostObjects, sizeof *objects);
  char s[96];
  const char *S = "1.3.6.1.2.1.1.";
  int ty[] = {0, OCTETS, OID, TIMETICKS, OCTETS, OCTETS, OCTETS, INTEGER};
  for (int i = 1; i <= 7; i++) {
    sprintf(s, "%s%d.0", S, i);
    add(s, ty[i], 1, i, 0);
  }
  add("1.3.6.1.2.1.2.1.0", INTEGER, 2, 0, 0);
  int c2[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16, 17, 19, 20},
      k2[] = {INTEGER,   OCTETS,    INTEGER,   INTEGER,   GAUGE32,   OCTETS,    INTEGER,   INTEGER,  TIMETICKS,
              COUNTER32, COUNTER32, COUNTER32, COUNTER32, COUNTER32, COUNTER32, COUNTER32, COUNTER32};
  for (unsigned c = 0; c < 17; c++)
    for (int i = 1; i <= interfaces; i++) {
      sprintf(s, "1.3.6.1.2.1.2.2.1.%d.%d", c2[c], i);
      add(s, k2[c], 3, c2[c], i);
    }
  int c3[] = {1, 6, 7, 8, 9, 10, 11, 12, 13, 15, 18},
      k3[] = {OCTETS,    COUNTER64, COUNTER64, COUNTER64, COUNTER64, COUNTER64,
              COUNTER64, COUNTER64, COUNTER64, GAUGE32,   OCTETS};
  for (int c = 0; c < 11; c++)
    for (int i = 1; i <= interfaces; i++) {
      sprintf(s, "1.3.6.1.2.1.31.1.1.1.%d.%d", c3[c], i);
      add(s, k3[c], 4, c3[c], i);
    }
  for (int i = 1; i <= 2; i++) {
    sprintf(s, "1.3.6.1.2.1.25.3.3.1.2.%d", i);
    add(s, INTEGER, 5, 0, i);
  }
  for (int i = 1; i <= 8 && !hosts; i++) {
    sprintf(s, "1.3.6.1.2.1.17.4.3.1.2.2.0.0.0.%d.%d", i, i);
    add(s, INTEGER, 6, 0, i);
  }
  for (int c = 2; c <= 3 && hosts; c++)
    for (int i = 1; i <= hosts; i++) {
      sprintf(s, "1.3.6.1.2.1.17.4.3.1.%d.2.0.0.0.0.%d", c, i);
      add(s, INTEGER, 7, c, i);
    }
  qsort(objects, objectCount, sizeof *objects, compareObjects);
}
// The hosts of a device have the last three bytes of its address in their own: 02:00:b:c:d:n. The objects have zeros there.
enum { macAt = 11 };
static void toCommon(uint32_t *oid, int n, uint32_t ip) {
  static const uint32_t table[] = {1, 3, 6, 1, 2, 1, 17, 4, 3, 1};
  if (!hosts || n < macAt + 5 || compareOids(oid, 10, table, 10) || oid[macAt + 2] != (ip >> 16 & 255) ||
      oid[macAt + 3] != (ip >> 8 & 255) || oid[macAt + 4] != (ip & 255))
    return;
  oid[macAt + 2] = oid[macAt + 3] = oid[macAt + 4] = 0;
}
static int putOid(uint8_t *p, const Object *e, uint32_t ip) {
  if (e->kind != 7) {
    memcpy(p, e->ber, e->bl);
    return e->bl;
  }
  int l = 0;
  p[l++] = e->o[0] * 40 + e->o[1];
  for (int i = 2; i < e->n; i++) {
    int byte = i - macAt - 2;
    l += putSubId(p + l, byte >= 0 && byte < 3 ? ip >> (16 - 8 * byte) & 255 : e->o[i]);
  }
  return l;
}
static uint32_t hash(uint32_t a, uint32_t b) {
  uint32_t h = a * 2654435761u ^ b * 40503u;
  h ^= h >> 15;
  h *= 2246822519u;
  return h ^ h >> 13;
}
static int putNumber(uint8_t *p, int t, uint64_t v) {
  uint8_t b[9];
  int n = 0;
  b[0] = 0;
  for (int i = 0; i < 8; i++)
    b[1 + i] = v >> (56 - 8 * i);
  int k = 1;
  while (k < 8 && b[k] == 0)
    k++;
  if (b[k] & 128)
    k--;
  n = 9 - k;
  p[0] = t;
  p[1] = n;
  memcpy(p + 2, b + k, n);
  return n + 2;
}
static int putString(uint8_t *p, const char *s, int n) {
  p[0] = OCTETS;
  p[1] = n;
  memcpy(p + 2, s, n);
  return n + 2;
}
static int value(uint8_t *p, const Object *e, uint32_t ip, uint64_t now) {
  char s[100];
  uint32_t h = hash(ip, e->idx);
  uint64_t up = now - bootedAt;
  switch (e->kind) {
  case 1:
    switch (e->col) {
    case 1:
      return putString(p, "Lab farm device, 24-port", 24);
    case 2: {
      static const uint8_t o[] = {6, 10, 43, 6, 1, 4, 1, 0x86, 0x8d, 0x1f, 1, 1};
      memcpy(p, o, 12);
      return 12;
    }
    case 3:
      return putNumber(p, TIMETICKS, up * 100);
    case 7:
      return putNumber(p, INTEGER, 78);
    case 5:
      return putString(p, s, sprintf(s, "dev-%u-%u-%u-%u", ip >> 24, ip >> 16 & 255, ip >> 8 & 255, ip & 255));
    default:
      return putString(p, "lab", 3);
    }
  case 2:
    return putNumber(p, INTEGER, interfaces);
  case 5:
    return putNumber(p, INTEGER, hash(ip, now / 30) % 90);
  case 6:
    return putNumber(p, INTEGER, e->idx);
  case 7:
    return putNumber(p, INTEGER, e->col == 3 ? 3 : 1 + e->idx % interfaces);
  case 3:
    switch (e->col) {
    case 1:
      return putNumber(p, INTEGER, e->idx);
    case 2:
      return putString(p, s, sprintf(s, "port%d", e->idx));
    case 3:
      return putNumber(p, INTEGER, 6);
    case 4:
      return putNumber(p, INTEGER, 1500);
    case 5:
      return putNumber(p, GAUGE32, 1000000000);
    case 6: {
      uint8_t m[6] = {2, ip >> 24, ip >> 16, ip >> 8, ip, e->idx};
      return putString(p, (char *)m, 6);
    }
    case 7:
      return putNumber(p, INTEGER, 1);
    case 8:
      return putNumber(p, INTEGER, h % 5 ? 1 : 2);
    case 9:
      return putNumber(p, TIMETICKS, 100);
    case 13:
    case 14:
    case 19:
    case 20:
      return putNumber(p, COUNTER32, up * (h % 7) / 60);
    default:
      return putNumber(p, COUNTER32, (uint32_t)(up * (h % 2000000)));
    }
  case 4:
    if (e->col == 1)
      return putString(p, s, sprintf(s, "port%d", e->idx));
    if (e->col == 15)
      return putNumber(p, GAUGE32, 1000);
    if (e->col == 18)
      return putString(p, "", 0);
    return putNumber(p, COUNTER64, up * (uint64_t)(h % 20000000) / (e->col == 6 || e->col == 10 ? 1 : 800) + h);
  }
  return putNumber(p, INTEGER, 0);
}
static int readTlv(const uint8_t **p, const uint8_t *end, const uint8_t **v, int *len) {
  if (*p + 2 > end)
    return -1;
  int t = *(*p)++, l = *(*p)++;
  if (l & 128) {
    int n = l & 127;
    if (n > 3 || *p + n > end)
      return -1;
    l = 0;
    while (n--)
      l = l << 8 | *(*p)++;
  }
  if (*p + l > end)
    return -1;
  *v = *p;
  *len = l;
  *p += l;
  return t;
}
static int putHeader(uint8_t *p, int t, int len) {
  p[0] = t;
  p[1] = 0x82;
  p[2] = len >> 8;
  p[3] = len;
  return 4;
}
static int answer(const uint8_t *in, int n, uint8_t *out, uint32_t ip, uint64_t now) {
  const uint8_t *p = in, *e = in + n, *v, *com, *rid;
  int l, cl, rl, ver;
  if (readTlv(&p, e, &v, &l) != 0x30)
    return 0;
  p = v;
  e = v + l;
  if (readTlv(&p, e, &v, &l) != 2 || l != 1 || (ver = *v) > 1)
    return 0;
  if (readTlv(&p, e, &com, &cl) != 4 || cl > 60)
    return 0;
  int pt = readTlv(&p, e, &v, &l);
  if (pt != 0xa0 && pt != 0xa1 && pt != 0xa5)
    return 0;
  p = v;
  e = v + l;
  if (readTlv(&p, e, &rid, &rl) != 2 || rl > 5)
    return 0;
  int a = 0, b = 0;
  if (readTlv(&p, e, &v, &l) != 2)
    return 0;
  for (int i = 0; i < l; i++)
    a = a << 8 | v[i];
  if (readTlv(&p, e, &v, &l) != 2)
    return 0;
  for (int i = 0; i < l; i++)
    b = b << 8 | v[i];
  if (pt != 0xa5)
    a = 128, b = 0;
  if (readTlv(&p, e, &v, &l) != 0x30)
    return 0;
  p = v;
  e = v + l;
  uint32_t q[128][40];
  int qn[128], nq = 0;
  const uint8_t *qr[128];
  int ql[128];
  while (p < e && nq < 128) {
    if (readTlv(&p, e, &v, &l) != 0x30)
      return 0;
    const uint8_t *pp = v, *o;
    int ol;
    if (readTlv(&pp, v + l, &o, &ol) != 6 || ol < 1 || ol > 38)
      return 0;
    qr[nq] = o;
    ql[nq] = ol;
    uint32_t *d = q[nq];
    int k = 0;
    d[k++] = o[0] / 40;
    d[k++] = o[0] % 40;
    uint32_t x = 0;
    for (int i = 1; i < ol; i++) {
      x = x << 7 | (o[i] & 127);
      if (!(o[i] & 128)) {
        d[k++] = x;
        x = 0;
      }
    }
    toCommon(q[nq], k, ip);
    qn[nq++] = k;
  }
  uint8_t vb[9000];
  int vl = 0, lim = 1380;
  int cur[128];
  for (int r = 0; r < (pt == 0xa5 ? (b > 0 ? b : 1) : 1) && vl < lim; r++)
    for (int i = 0; i < nq && vl < lim; i++) {
      if (r > 0 && i < a)
        continue;
      const Object *f = 0;
      int ex = 0;
      if (pt == 0xa5 && i >= a && r > 0) {
        if (cur[i] >= 0 && ++cur[i] < objectCount)
          f = &objects[cur[i]];
      } else {
        int lo = 0, hi = objectCount;
        while (lo < hi) {
          int m = (lo + hi) / 2;
          int c = compareOids(objects[m].o, objects[m].n, q[i], qn[i]);
          if (pt == 0xa0 ? c < 0 : c <= 0)
            lo = m + 1;
          else
            hi = m;
        }
        cur[i] = lo;
        if (lo < objectCount && (pt != 0xa0 || compareOids(objects[lo].o, objects[lo].n, q[i], qn[i]) == 0))
          f = &objects[lo];
        ex = pt == 0xa0 ? 0x81 : 0x82;
      }
      uint8_t *w = vb + vl;
      int k = 4;
      w[4] = 6;
      if (f) {
        w[5] = putOid(w + 6, f, ip);
        k += 2 + w[5];
        k += value(w + k, f, ip, now);
        if (f->kind == 4 && f->col == 10 && f->idx == interfaces)
          noteComplete(ip);
      } else {
        const uint8_t *nm = pt == 0xa5 && i >= a && r > 0 ? objects[objectCount - 1].ber : qr[i];
        int nl = pt == 0xa5 && i >= a && r > 0 ? objects[objectCount - 1].bl : ql[i];
        w[5] = nl;
        memcpy(w + 6, nm, nl);
        k += 2 + nl;
        w[k++] = ex ? ex : 0x82;
        w[k++] = 0;
      }
      putHeader(w, 0x30, k - 4);
      vl += k;
    }
  uint8_t pd[9100];
  int k = 0;
  pd[k++] = 2;
  pd[k++] = rl;
  memcpy(pd + k, rid, rl);
  k += rl;
  memcpy(pd + k, "\2\1\0\2\1\0", 6);
  k += 6;
  k += putHeader(pd + k, 0x30, vl);
  memcpy(pd + k, vb, vl);
  k += vl;
  uint8_t *o = out + 4;
  int m = 0;
  o[m++] = 2;
  o[m++] = 1;
  o[m++] = ver;
  o[m++] = 4;
  o[m++] = cl;
  memcpy(o + m, com, cl);
  m += cl;
  m += putHeader(o + m, 0xa2, k);
  memcpy(o + m, pd, k);
  m += k;
  putHeader(out, 0x30, m);
  return m + 4;
}
int main(int c, char **v) {
  int o;
  const char *reportFile = 0;
  while ((o = getopt(c, v, "p:i:c:x:l:r:")) > 0) {
    int x = atoi(optarg);
    if (o == 'r')
      reportFile = optarg;
    if (o == 'p')
      port = x;
    if (o == 'i')
      interfaces = x;
    if (o == 'c')
      hosts = x;
    if (o == 'x')
      dead = x;
    if (o == 'l')
      loss = x;
  }
  bootedAt = time(0) - 100000;
  build();
  if (reportFile)
    rounds = calloc(mostRounds, sizeof *rounds);
  beginAnew();
  fprintf(stderr, "%d objects\n", objectCount);
  int s = socket(AF_INET, SOCK_DGRAM, 0), one = 1, buf = 16 << 20;
  setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &buf, 4);
  setsockopt(s, SOL_SOCKET, SO_SNDBUFFORCE, &buf, 4);
  setsockopt(s, IPPROTO_IP, IP_PKTINFO, &one, 4);
  setsockopt(s, SOL_SOCKET, SO_REUSEPORT, &one, 4);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
  if (bind(s, (void *)&a, sizeof a)) {
    perror("bind");
    return 1;
  }
  static uint8_t in[BATCH][2048], out[BATCH][4096];
  struct mmsghdr mi[BATCH], mo[BATCH];
  struct iovec vi[BATCH], vo[BATCH];
  struct sockaddr_in fr[BATCH];
  static char ci[BATCH][64];
  struct sigaction action = {.sa_handler = onSignal};
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGUSR2, &action, 0);
  for (;;) {
    if (wanted == SIGUSR1) {
      beginAnew();
      wanted = 0;
    }
    if (wanted == SIGUSR2) {
      if (reportFile)
        report(reportFile);
      wanted = 0;
    }
    for (int i = 0; i < BATCH; i++) {
      vi[i] = (struct iovec){in[i], 2048};
      mi[i].msg_hdr = (struct msghdr){.msg_name = &fr[i],
                                      .msg_namelen = sizeof fr[i],
                                      .msg_iov = &vi[i],
                                      .msg_iovlen = 1,
                                      .msg_control = ci[i],
                                      .msg_controllen = 64};
    }
    int n = recvmmsg(s, mi, BATCH, MSG_WAITFORONE, 0);
    if (n <= 0)
      continue;
    uint64_t now = time(0);
    int k = 0;
    for (int i = 0; i < n; i++) {
      struct cmsghdr *cm = CMSG_FIRSTHDR(&mi[i].msg_hdr);
      if (!cm || cm->cmsg_type != IP_PKTINFO)
        continue;
      struct in_pktinfo *pi = (void *)CMSG_DATA(cm);
      uint32_t ip = ntohl(pi->ipi_addr.s_addr);
      if (dead && ip % dead == 0)
        continue;
      if (loss && (uint32_t)rand() % 1000 < (uint32_t)loss)
        continue;
      noteBegin(ip, in[i], mi[i].msg_len);
      int l = answer(in[i], mi[i].msg_len, out[k], ip, now);
      if (!l)
        continue;
      pi->ipi_spec_dst = pi->ipi_addr;
      pi->ipi_ifindex = 0;
      vo[k] = (struct iovec){out[k], l};
      mo[k].msg_hdr = (struct msghdr){.msg_name = &fr[i],
                                      .msg_namelen = sizeof fr[i],
                                      .msg_iov = &vo[k],
                                      .msg_iovlen = 1,
                                      .msg_control = ci[i],
                                      .msg_controllen = CMSG_SPACE(sizeof *pi)};
      k++;
    }
    for (int d = 0; d < k;) {
      int r = sendmmsg(s, mo + d, k - d, 0);
      if (r <= 0)
        d++;
      else
        d += r;
    }
  }
}
