/*
 * A long or bad line: joins a TUN device in each of two network namespaces, in user space because the kernels of many
 * machines have no netem. Packets stay in order.
 *
 * line SERVER_NAMESPACE HOME_NAMESPACE
 *
 * It reads settings from its input, a row at a time ("delay=15 loss=1"), answers each row with "ok", and ends with its
 * input. Settings, for both directions or with the suffix _up (from the home) or _down (to it) for one:
 *   delay    ms, one way        jitter   ms, uniform from 0     loss   %, independent of each other
 *   rate     Mbit/s, 0: any     queue    ms at that rate        cut    1: nothing passes
 * and address, the last byte of the home's public address: packets for any other are lost, as after a PPPoE redial.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* The 10.77.0.0/24 of both ends; the server is 1, and the home knows itself as 2. */
#define SERVER_CIDR "10.77.0.1/24"
#define HOME_CIDR "10.77.0.2/24"
#define HOME_BYTE 2

#define MAX_PACKET 1600
/* A power of two, so that positions may wrap. At 100 Mbit/s about 2 s of full packets. */
#define MAX_PACKETS 16384
/* The frame around a packet that also takes time on a real line. */
#define FRAME_BYTES 18
#define READ_AT_ONCE 64
#define NS_PER_MS 1e6

typedef struct {
  int64_t due_ns;
  int length;
  unsigned char bytes[MAX_PACKET];
} packet;

typedef struct {
  int from, to; /* TUN devices */
  int is_up;
  _Atomic double delay, jitter, loss, rate, queue, cut;
  packet *packets; /* positions first to end, modulo MAX_PACKETS */
  uint32_t first, end;
  int64_t free_ns; /* when the line has sent what it holds */
  int64_t last_due_ns;
  uint64_t random;
} direction;

static atomic_int public_byte = HOME_BYTE;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* xorshift64; from 0 up to 1. */
static double random_share(direction *d) {
  d->random ^= d->random << 13;
  d->random ^= d->random >> 7;
  d->random ^= d->random << 17;
  return (d->random >> 11) * (1.0 / 9007199254740992.0);
}

/* Updates a checksum for a 16-bit word that changes (RFC 1624). */
static void update_checksum(unsigned char *checksum, uint16_t before, uint16_t after) {
  uint32_t sum = (uint16_t)~((checksum[0] << 8) | checksum[1]);
  sum += (uint16_t)~before;
  sum += after;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (uint16_t)~sum;
  checksum[0] = sum >> 8;
  checksum[1] = sum;
}

/* The home's router: between its own address and the public one. False for packets of no valid address. */
static int translate(const direction *d, unsigned char *ip, int length) {
  if (length < 20 || (ip[0] >> 4) != 4) return 0;
  unsigned char outside = public_byte;
  unsigned char before = d->is_up ? HOME_BYTE : outside;
  unsigned char after = d->is_up ? outside : HOME_BYTE;
  unsigned char *address = d->is_up ? ip + 12 : ip + 16; /* source or destination */
  if (address[3] != before) return 0;
  if (before == after) return 1;
  uint16_t word_before = (address[2] << 8) | before;
  uint16_t word_after = (address[2] << 8) | after;
  address[3] = after;
  update_checksum(ip + 10, word_before, word_after);
  int header = (ip[0] & 15) * 4;
  int is_first_fragment = (((ip[6] & 31) << 8) | ip[7]) == 0;
  if (!is_first_fragment) return 1;
  unsigned char *body = ip + header;
  if (ip[9] == 6 && length >= header + 18) update_checksum(body + 16, word_before, word_after); /* TCP */
  int has_udp_checksum = ip[9] == 17 && length >= header + 8 && (body[6] | body[7]);
  if (has_udp_checksum) update_checksum(body + 6, word_before, word_after);
  return 1;
}

/* When a packet of this length arrives, or -1 when it is lost. */
static int64_t arrival_ns(direction *d, int length) {
  int64_t sent_ns = monotonic_ns();
  if (d->cut || (d->loss > 0 && random_share(d) * 100 < d->loss)) return -1;
  if (d->rate > 0) {
    if (d->free_ns < sent_ns) d->free_ns = sent_ns;
    if (d->free_ns - sent_ns > (int64_t)(d->queue * NS_PER_MS)) return -1;
    d->free_ns += (int64_t)((length + FRAME_BYTES) * 8000.0 / d->rate);
    sent_ns = d->free_ns;
  }
  double late_ms = d->delay + (d->jitter > 0 ? random_share(d) * d->jitter : 0);
  int64_t due_ns = sent_ns + (int64_t)(late_ms * NS_PER_MS);
  if (due_ns < d->last_due_ns) due_ns = d->last_due_ns;
  d->last_due_ns = due_ns;
  return due_ns;
}

static void deliver_due(direction *d) {
  int64_t now_ns = monotonic_ns();
  while (d->first != d->end) {
    packet *p = &d->packets[d->first % MAX_PACKETS];
    if (p->due_ns > now_ns) return;
    /* A device whose queue is full loses the packet, as any other would. */
    if (!d->cut && write(d->to, p->bytes, p->length) < 0 && errno != EAGAIN) fail("write");
    d->first++;
  }
}

static void wait_for_work(direction *d) {
  struct timespec until, *timeout = NULL;
  if (d->first != d->end) {
    int64_t wait_ns = d->packets[d->first % MAX_PACKETS].due_ns - monotonic_ns();
    if (wait_ns < 0) wait_ns = 0;
    until.tv_sec = wait_ns / 1000000000;
    until.tv_nsec = wait_ns % 1000000000;
    timeout = &until;
  }
  struct pollfd readable = {d->from, POLLIN, 0};
  ppoll(&readable, 1, timeout, NULL);
}

static void *carry(void *argument) {
  direction *d = argument;
  prctl(PR_SET_TIMERSLACK, 1);
  for (;;) {
    deliver_due(d);
    wait_for_work(d);
    for (int n = 0; n < READ_AT_ONCE; n++) {
      packet *p = &d->packets[d->end % MAX_PACKETS];
      p->length = read(d->from, p->bytes, MAX_PACKET);
      if (p->length <= 0) break;
      if (!translate(d, p->bytes, p->length)) continue;
      p->due_ns = arrival_ns(d, p->length);
      int is_full = d->end - d->first >= MAX_PACKETS - 1;
      if (p->due_ns >= 0 && !is_full) d->end++;
    }
  }
  return NULL; /* never reached */
}

static int open_tun(const char *namespace, const char *cidr) {
  char path[200], command[200];
  snprintf(path, sizeof path, "/run/netns/%s", namespace);
  int fd = open(path, O_RDONLY);
  if (fd < 0 || setns(fd, CLONE_NEWNET)) fail(path);
  close(fd);
  int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  if (tun < 0) fail("/dev/net/tun");
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI, .ifr_name = "wan"};
  if (ioctl(tun, TUNSETIFF, &request)) fail("TUNSETIFF");
  const char *rest = "ip link set wan mtu 1500 txqueuelen 10000 up";
  snprintf(command, sizeof command, "ip addr add %s dev wan && %s", cidr, rest);
  if (system(command)) exit(1);
  return tun;
}

static direction down, up;

static void set(direction *d, const char *name, double value) {
  if (!strcmp(name, "delay")) d->delay = value;
  else if (!strcmp(name, "jitter")) d->jitter = value;
  else if (!strcmp(name, "loss")) d->loss = value;
  else if (!strcmp(name, "rate")) d->rate = value;
  else if (!strcmp(name, "queue")) d->queue = value;
  else if (!strcmp(name, "cut")) d->cut = value;
  else {
    fprintf(stderr, "unknown setting %s\n", name);
    exit(1);
  }
}

static void apply(char *setting) {
  char *value = strchr(setting, '=');
  if (value == NULL) return;
  *value++ = 0;
  double number = atof(value);
  if (!strcmp(setting, "address")) {
    public_byte = (int)number;
    return;
  }
  char *suffix = strrchr(setting, '_');
  int only_up = suffix != NULL && !strcmp(suffix, "_up");
  int only_down = suffix != NULL && !strcmp(suffix, "_down");
  if (suffix != NULL) *suffix = 0;
  if (!only_down) set(&up, setting, number);
  if (!only_up) set(&down, setting, number);
}

static void start(direction *d, int from, int to) {
  d->from = from;
  d->to = to;
  if (getrandom(&d->random, sizeof d->random, 0) < 0) fail("getrandom");
  d->random |= 1; /* the generator stays at 0 */
  d->packets = malloc(sizeof(packet) * MAX_PACKETS);
  pthread_t thread;
  if (d->packets == NULL || pthread_create(&thread, NULL, carry, d)) fail("start");
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "line SERVER_NAMESPACE HOME_NAMESPACE\n");
    return 2;
  }
  int server = open_tun(arguments[1], SERVER_CIDR);
  int home = open_tun(arguments[2], HOME_CIDR);
  up.is_up = 1;
  start(&down, server, home);
  start(&up, home, server);
  char row[1000];
  do {
    puts("ok");
    fflush(stdout);
    if (fgets(row, sizeof row, stdin) == NULL) return 0;
    for (char *setting = strtok(row, " \n"); setting != NULL; setting = strtok(NULL, " \n")) apply(setting);
  } while (1);
}
