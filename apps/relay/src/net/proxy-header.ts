import { must, parseAddress } from '@tongtu/base';

/** One end of a TCP connection. The address may be an IPv4 one in its IPv6 form, or carry a zone. */
export type Endpoint = { address: string; port: number };

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const HEADER_BYTES = 16;
const VERSION_2 = 0x20;
const COMMAND_PROXY = 1;
/** Address family in the high half, transport (stream) in the low one. */
const TCP_OVER_IPV4 = 0x11;
const TCP_OVER_IPV6 = 0x21;

/**
 * The header of the PROXY protocol v2 (haproxy's proxy-protocol.txt §2.2) for a TCP connection: whose it is (`source`)
 * and which public address it was made to (`destination`). Throws for what is no IP address.
 */
export function encodeProxyV2({ source, destination }: { source: Endpoint; destination: Endpoint }): Buffer {
  const ends = [source, destination].map(({ address }) =>
    must(parseAddress(address), 'the IP address of a connection'),
  );
  const isIpv4 = ends.every((end) => end.kind() === 'ipv4');
  // Both must be of one family: IPv4 addresses have an IPv6 form, and not the other way round.
  const addresses = ends.flatMap((end) =>
    isIpv4 || !('toIPv4MappedAddress' in end) ? end : end.toIPv4MappedAddress(),
  );
  const body = Buffer.alloc(4, 0);
  body.writeUInt16BE(source.port, 0);
  body.writeUInt16BE(destination.port, 2);
  const payload = Buffer.concat([...addresses.map((end) => Buffer.from(end.toByteArray())), body]);
  const head = Buffer.alloc(HEADER_BYTES);
  SIGNATURE.copy(head);
  head.writeUInt8(VERSION_2 | COMMAND_PROXY, 12);
  head.writeUInt8(isIpv4 ? TCP_OVER_IPV4 : TCP_OVER_IPV6, 13);
  head.writeUInt16BE(payload.length, 14);
  return Buffer.concat([head, payload]);
}
