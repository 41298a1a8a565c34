/**
 * Where clouds hand a machine its own credentials, as IPv4 or short IPv6: AWS and most others, AWS over IPv6, Alibaba,
 * Oracle, Azure. Some are in ranges that are private otherwise, Azure's is in a public one.
 */
export const metadataServices: ReadonlySet<string> = new Set([
  '169.254.169.254',
  'fd00:ec2::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
]);
