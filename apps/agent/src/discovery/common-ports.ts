/**
 * How a port is identified once it is open. `silent` ports get no byte: a printer's port 9100 would print it, and the
 * others say nothing to those who do not log in.
 */
export type PortKind = 'http' | 'https' | 'banner' | 'rdp' | 'rtsp' | 'silent';

export type CommonPort = {
  port: number;
  kind: PortKind;
  /** What the port usually speaks, where its bytes do not say so. */
  protocol?: string;
  /** Where the service says who it is, in place of `/`. */
  path?: string;
};

/** The ports that a scan tries, the most informative first. */
export const commonPorts: readonly CommonPort[] = [
  { port: 80, kind: 'http' },
  { port: 443, kind: 'https' },
  { port: 22, kind: 'banner' },
  { port: 445, kind: 'silent', protocol: 'smb' },
  { port: 3389, kind: 'rdp' },
  { port: 5900, kind: 'banner' },
  { port: 5000, kind: 'http' },
  { port: 5001, kind: 'https' },
  { port: 8080, kind: 'http' },
  { port: 8443, kind: 'https' },
  { port: 8006, kind: 'https' },
  { port: 8096, kind: 'http' },
  { port: 8123, kind: 'http' },
  { port: 32_400, kind: 'http', path: '/identity' },
  { port: 9000, kind: 'http' },
  { port: 9443, kind: 'https' },
  { port: 9091, kind: 'http' },
  { port: 6800, kind: 'http', path: '/jsonrpc?method=system.listMethods&id=tongtu' },
  { port: 5666, kind: 'http' },
  { port: 5667, kind: 'https' },
  { port: 3000, kind: 'http' },
  { port: 8000, kind: 'http' },
  { port: 8081, kind: 'http' },
  { port: 8088, kind: 'http' },
  { port: 8089, kind: 'http' },
  { port: 8090, kind: 'http' },
  { port: 8888, kind: 'http' },
  { port: 8008, kind: 'http' },
  { port: 81, kind: 'http' },
  { port: 82, kind: 'http' },
  { port: 88, kind: 'http' },
  { port: 21, kind: 'banner', protocol: 'ftp' },
  { port: 23, kind: 'banner', protocol: 'telnet' },
  { port: 554, kind: 'rtsp' },
  { port: 631, kind: 'http' },
  { port: 9100, kind: 'silent', protocol: 'raw-print' },
  { port: 515, kind: 'silent', protocol: 'lpd' },
  { port: 5901, kind: 'banner' },
  { port: 2222, kind: 'banner' },
  { port: 548, kind: 'silent', protocol: 'afp' },
  { port: 2049, kind: 'silent', protocol: 'nfs' },
  { port: 873, kind: 'banner', protocol: 'rsync' },
  { port: 5005, kind: 'http' },
  { port: 5006, kind: 'https' },
  { port: 5244, kind: 'http' },
  { port: 5678, kind: 'http' },
  { port: 1880, kind: 'http' },
  { port: 1883, kind: 'silent', protocol: 'mqtt' },
  { port: 2375, kind: 'http' },
  { port: 3001, kind: 'http' },
  { port: 3306, kind: 'banner', protocol: 'mysql' },
  { port: 5432, kind: 'silent', protocol: 'postgresql' },
  { port: 6379, kind: 'silent', protocol: 'redis' },
  { port: 7878, kind: 'http' },
  { port: 8083, kind: 'http' },
  { port: 8086, kind: 'http' },
  { port: 8181, kind: 'http' },
  { port: 8200, kind: 'http' },
  { port: 8384, kind: 'http' },
  { port: 8880, kind: 'http' },
  { port: 8920, kind: 'https' },
  { port: 8989, kind: 'http' },
  { port: 9001, kind: 'http' },
  { port: 9090, kind: 'http' },
  { port: 9117, kind: 'http' },
  { port: 9999, kind: 'http' },
  { port: 10_000, kind: 'https' },
  { port: 34_567, kind: 'silent', protocol: 'dvr' },
  { port: 37_777, kind: 'silent', protocol: 'dvr' },
];
