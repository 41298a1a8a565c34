import type { DnsSettings } from './dns/dns-settings.ts';

/** How certificates are ordered. */
export type AcmeConfig = {
  directoryUrl: string;
  /** The contact address for the authority; empty: none. */
  email: string;
  /** For authorities that require external account binding (RFC 8555 §7.3.4). */
  externalAccount: { kid: string; hmacKey: string } | undefined;
  /** The DNS provider for DNS-01, which a wildcard needs; undefined: all names use HTTP-01. */
  dns: DnsSettings | undefined;
  /** Resolvers, as `address` or `address:port`; empty: this machine's resolvers and each zone's own servers. */
  resolvers: string[];
  /** False when the operator provides the certificate of the console and of the suffix. */
  ordersConsole: boolean;
};
