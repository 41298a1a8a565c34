import mdns from 'multicast-dns';
import type { Subnet } from './own-subnets.ts';
import { type MdnsHost, MdnsRecords, SERVICE_TYPES_NAME } from './mdns-records.ts';

const LISTEN_MS = 4000;
const ASK_AGAIN_MS = 1200;
const MAX_PACKETS = 2000;
/** Asked for at once: some devices answer only for their own types. */
const usualTypes = [
  '_http._tcp.local',
  '_https._tcp.local',
  '_smb._tcp.local',
  '_ssh._tcp.local',
  '_ipp._tcp.local',
  '_printer._tcp.local',
  '_device-info._tcp.local',
  '_home-assistant._tcp.local',
  '_googlecast._tcp.local',
  '_airplay._tcp.local',
  '_hap._tcp.local',
];

type MdnsSocket = Pick<mdns.MulticastDNS, 'query' | 'destroy' | 'on'>;
export type OpenMdns = (address: string) => MdnsSocket;

// Without `bind` Linux delivers no multicast packet to a socket that is bound to the address of the interface.
const openSocket: OpenMdns = (address) => mdns({ interface: address, bind: '0.0.0.0', reuseAddr: true });

/** Asks by multicast DNS in one network which services there are. Resolves when the signal aborts, too; never rejects. */
export async function browseMdns(
  subnet: Subnet,
  { isOwn, signal, open = openSocket }: { isOwn: (address: string) => boolean; signal: AbortSignal; open?: OpenMdns },
): Promise<MdnsHost[]> {
  const records = new MdnsRecords();
  let packetCount = 0;
  await new Promise<void>((resolve) => {
    const socket = open(subnet.address);
    const ask = (names: readonly string[]) => {
      if (names.length > 0) socket.query(names.map((name) => ({ name, type: 'PTR' })));
    };
    const askAll = () => ask([SERVICE_TYPES_NAME, ...usualTypes]);
    const askAgain = setTimeout(askAll, ASK_AGAIN_MS);
    const finish = () => {
      clearTimeout(askAgain);
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      socket.destroy();
      resolve();
    };
    const timer = setTimeout(finish, LISTEN_MS);
    signal.addEventListener('abort', finish, { once: true });
    if (signal.aborted) return finish();
    // Another program may have the port to itself, and what is no DNS message is skipped.
    socket.on('error', finish);
    socket.on('warning', () => {});
    socket.on('ready', askAll);
    socket.on('response', (packet, { address }) => {
      if (++packetCount > MAX_PACKETS || !isOwn(address)) return;
      ask(records.add([...(packet.answers ?? []), ...(packet.additionals ?? [])], address));
    });
  });
  return records.hosts(isOwn);
}
