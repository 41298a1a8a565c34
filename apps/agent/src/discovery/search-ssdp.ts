import { createSocket } from 'node:dgram';
import { MAX_SEEN_LIST_LENGTH, type SeenSsdp } from '@tongtu/tunnel';
import { decodeText } from './html-page.ts';
import { requestPage } from './http-request.ts';
import type { Subnet } from './own-subnets.ts';
import type { PacedDialer } from './paced-dialer.ts';
import { decodeSeen } from './seen-text.ts';
import { readDescription, readSsdpAnswer, type SsdpAnswer, withoutUndefined } from './ssdp-answer.ts';

const GROUP = '239.255.255.250';
const PORT = 1900;
const SEARCH = Buffer.from(
  `M-SEARCH * HTTP/1.1\r\nHOST: ${GROUP}:${PORT}\r\nMAN: "ssdp:discover"\r\nMX: 2\r\nST: ssdp:all\r\n\r\n`,
);
const LISTEN_MS = 3500;
/** Datagrams get lost. */
const askAtMs = [0, 500, 1500];
const MAX_ANSWERS = 1000;
const MAX_DESCRIPTIONS = 64;
const MAX_DESCRIPTIONS_PER_HOST = 4;
const DESCRIPTION_MS = 2000;

export type SsdpHost = { address: string; announced: SeenSsdp[] };
type SsdpDeps = { isOwn: (address: string) => boolean; dialer: PacedDialer; signal: AbortSignal };

/** Asks by SSDP which devices there are, and reads their descriptions. Never rejects. */
export async function searchSsdp(subnet: Subnet, deps: SsdpDeps): Promise<SsdpHost[]> {
  const answers = await collectAnswers(subnet, deps);
  const hosts = await Promise.all(
    [...answers].slice(0, MAX_DESCRIPTIONS).map(async ([address, found]) => ({
      address,
      announced: await describe(found, deps),
    })),
  );
  return hosts.filter(({ announced }) => announced.length > 0);
}

async function collectAnswers(subnet: Subnet, { isOwn, signal }: SsdpDeps): Promise<Map<string, SsdpAnswer[]>> {
  const answers = new Map<string, SsdpAnswer[]>();
  let count = 0;
  await new Promise<void>((resolve) => {
    const socket = createSocket('udp4');
    const ask = () => socket.send(SEARCH, PORT, GROUP, () => {}); // an error ends the search below
    const timers: NodeJS.Timeout[] = [];
    const finish = () => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      socket.removeAllListeners('message');
      try {
        socket.close();
      } catch {
        // it is closed already, as after an error while binding
      }
      resolve();
    };
    socket.on('error', finish);
    socket.on('message', (message, { address }) => {
      if (++count > MAX_ANSWERS || !isOwn(address)) return;
      const answer = readSsdpAnswer(decodeSeen(message), address);
      const known = answers.get(address) ?? [];
      if (answer && known.length < MAX_DESCRIPTIONS_PER_HOST && !known.some((each) => isSame(each, answer)))
        answers.set(address, [...known, answer]);
    });
    signal.addEventListener('abort', finish, { once: true });
    if (signal.aborted) return finish();
    socket.bind({ address: subnet.address, port: 0 }, () => {
      socket.setMulticastInterface(subnet.address);
      timers.push(...askAtMs.map((atMs) => setTimeout(ask, atMs)), setTimeout(finish, LISTEN_MS));
    });
  });
  return answers;
}

function isSame(one: SsdpAnswer, other: SsdpAnswer): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function describe(answers: readonly SsdpAnswer[], { dialer }: SsdpDeps): Promise<SeenSsdp[]> {
  const seen: SeenSsdp[] = [];
  for (const { server, location } of answers.slice(0, MAX_SEEN_LIST_LENGTH)) {
    const description = location === undefined ? {} : await fetchDescription(location, dialer);
    const found: SeenSsdp = { ...withoutUndefined({ server }), ...description };
    if (Object.keys(found).length > 0 && !seen.some((each) => JSON.stringify(each) === JSON.stringify(found)))
      seen.push(found);
  }
  return seen;
}

async function fetchDescription(
  { address, port, path }: NonNullable<SsdpAnswer['location']>,
  dialer: PacedDialer,
): Promise<SeenSsdp> {
  try {
    const socket = await dialer.dial(address, port, DESCRIPTION_MS);
    const page = await requestPage(socket, { address, port, path, timeoutMs: DESCRIPTION_MS });
    return page.status === 200 ? readDescription(decodeText(page.body, page.headers['content-type'])) : {};
  } catch {
    return {}; // its answer alone names it, too
  }
}
