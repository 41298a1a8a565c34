import ipaddr from 'ipaddr.js';

/**
 * Addresses where machines get their own credentials, and that no LAN service has: all link-local ones, and those of
 * clouds within private ranges or, as Azure's, within public ones.
 */
const credentialNetworks = [
  '169.254.0.0/16', // most clouds; AWS serves credentials of containers at 169.254.170.2 and 169.254.170.23
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

// `unspecified` (0.0.0.0) is not listed, although it reaches this machine: users should write that explicitly.
// Translated addresses (NAT64, 6to4) are not listed either, because they may stand for any other address.
const privateRanges = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/** Whether an address is private and serves no credentials. False for a name. */
export function isPrivateAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  return privateRanges.has(ipaddr.process(text).range()) && !isCredentialAddress(text);
}

/** Whether an address is link-local, or one where a cloud serves a machine its credentials. False for a name. */
export function isCredentialAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text); // reads IPv4-mapped addresses as IPv4
  return credentialNetworks.some(
    ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
  );
}
