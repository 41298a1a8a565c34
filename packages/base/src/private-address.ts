import ipaddr from 'ipaddr.js';

/**
 * Where machines get their own credentials, and what else no service of a network is reached by: all link-local addresses,
 * and those of clouds that lie in ranges which are private otherwise, or, as Azure's, public.
 */
const credentialNetworks = [
  '169.254.0.0/16', // most clouds; AWS hands out those of containers at 169.254.170.2 and 169.254.170.23
  'fe80::/10',
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
  '168.63.129.16/32', // Azure
  '192.0.0.192/32', // Oracle
  'fd00:c1::a9fe:a9fe/128', // Oracle
  '100.100.100.200/32', // Alibaba
  'fd00:100::100:200/128', // Alibaba
  '100.96.0.96/32', // Volcengine
  '100.80.80.80/32', // UCloud
  'fd00:42::42/128', // Scaleway
  'fd00:a9fe:a9fe::1/128', // Akamai
].map((network) => ipaddr.parseCIDR(network));

// `unspecified` (0.0.0.0) is left out although it reaches this machine: a user who means that should write so. Translated
// addresses (NAT64, 6to4) are left out, too: any other address may hide behind one.
const privateRanges = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/** Whether an address belongs to a machine or its network alone, and hands out no credentials. False for a name. */
export function isPrivateAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  return privateRanges.has(ipaddr.process(text).range()) && !isCredentialAddress(text);
}

/** Whether an address is link-local, or one where a cloud hands a machine its credentials. False for a name. */
export function isCredentialAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text); // IPv4 in IPv6 is IPv4
  return credentialNetworks.some(
    ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
  );
}
