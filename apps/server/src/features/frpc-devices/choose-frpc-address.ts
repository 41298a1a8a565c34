export type FrpcAddress = { host: string; port: number; isCertificateChecked: boolean };

export type FrpcPlace = {
  baseDomain: string;
  /** The port for frpc alone; undefined: there is none. */
  port: number | undefined;
  /** The port of visitors, if it takes frpc as well. */
  tlsPort: number | undefined;
  /** A proxy in front of the relays ends TLS at the port of visitors. */
  isBehindProxy: boolean;
  /** A name of the server that devices can reach for sure. */
  otherHost: string;
  /** Whether relays show a certificate of an authority for this name. */
  hasCertificate: (host: string) => Promise<boolean>;
};

/**
 * What frpc connects to. A name with a certificate is preferred, because frpc notices a false server only by checking
 * it; the visitors' port passes more firewalls, and knows frpc by its own name.
 */
export async function chooseFrpcAddress(place: FrpcPlace): Promise<FrpcAddress> {
  const { baseDomain, port, tlsPort, isBehindProxy, otherHost, hasCertificate } = place;
  const host = `frp.${baseDomain}`;
  if (await hasCertificate(host)) {
    const chosen = isBehindProxy ? port : (tlsPort ?? port);
    if (chosen !== undefined) return { host, port: chosen, isCertificateChecked: true };
  }
  if (port !== undefined) return { host: otherHost, port, isCertificateChecked: await hasCertificate(otherHost) };
  return { host, port: tlsPort ?? 443, isCertificateChecked: false };
}
