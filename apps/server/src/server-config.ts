import type { DbConnection } from './db/driver.ts';
import type { AcmeConfig } from './features/certificates/index.ts';
import type { WechatConfig } from './features/sso/index.ts';
import type { MessageConfig } from './message-config.ts';

export type ServerConfig = {
  database: DbConnection;
  /** Loopback; port 0 means any. */
  listen: { host: string; port: number };
  /** Suffix of the one region of a self-hosted installation. */
  baseDomain: string;
  /** Where people reach the console; the addresses of mappings keep its scheme and port. */
  publicUrl: string;
  /** Where https is served. */
  tlsPort: number;
  /** Whether the relays lead visitors from http to https. */
  redirectsToHttps: boolean;
  /** Whether a proxy of the operator's stands in front, which then shows its own certificates. */
  isBehindProxy: boolean;
  /** Whether a file of the operator's holds a certificate for this name that an authority gave. */
  hasCertificateFile: (host: string) => boolean;
  /** Bit/s of each direction for devices without a limit of their own; null: as fast as it goes. */
  defaultBandwidthBps: number | null;
  /** Ports besides that of `publicUrl` that a visited address may name. */
  allowedPorts: number[];
  /** What TCP and UDP mappings may have, both ends included. */
  publicPorts: { from: number; to: number };
  /** How certificates are ordered; undefined: none are. */
  acme: AcmeConfig | undefined;
  messages: MessageConfig;
  /** How people log in by WeChat; undefined: they do not. */
  wechat: WechatConfig | undefined;
  billing: 'off' | 'on';
  /** Other names of the console, which no mapping may take. */
  consoleHosts: string[];
  /** Asked on the first start only, before anything is written. */
  chooseAdminPassword: () => Promise<string>;
  /** The keys hold 32 bytes. */
  secrets: { sealingKey: Buffer; gateKey: Buffer; relaySecret: string };
  /** What agents are told; without a host: the name under which they reached this server. */
  tunnel: { host: string | undefined; port: number; pin: string };
  /** The built page. */
  webRoot: string;
  /** The built single-file agent. */
  agentFile: string;
  version: string;
};
