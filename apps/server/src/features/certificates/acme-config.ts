import type { DnsSettings } from './dns/dns-settings.ts';

/** How certificates are ordered. */
export type AcmeConfig = {
  directoryUrl: string;
  /** Where the authority may write to; empty: nowhere. */
  email: string;
  /** For authorities that want to know the account elsewhere (RFC 8555 §7.3.4). */
  externalAccount: { kid: string; hmacKey: string } | undefined;
  /** Proves names by DNS-01, which a wildcard needs; undefined: everything by HTTP-01. */
  dns: DnsSettings | undefined;
  /** Name servers to ask, as `address` or `address:port`; empty: those of this machine and of the zones. */
  resolvers: string[];
  /** False when the operator brings the certificate of the console and of the suffix. */
  ordersConsole: boolean;
};
