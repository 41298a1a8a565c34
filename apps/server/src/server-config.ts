import type { KeyObject } from 'node:crypto';
import type { DbConnection } from './db/driver.ts';
import type { RuntimesDeps } from './features/agent-downloads/index.ts';
import type { AcmeConfig } from './features/certificates/index.ts';
import type { PaymentConfig } from './features/payments/index.ts';
import type { WechatConfig } from './features/sso/index.ts';
import type { MessageConfig } from './message-config.ts';

export type ServerConfig = {
  database: DbConnection;
  /** A loopback address. Port 0 means any. */
  listen: { host: string; port: number };
  /** Suffix of the one region of a self-hosted installation. */
  baseDomain: string;
  /** URL of the console. Addresses of mappings have the same scheme and port. */
  publicUrl: string;
  /** Port of https. */
  tlsPort: number;
  /** Whether the relays redirect visitors from http to https. */
  redirectsToHttps: boolean;
  /** Whether a reverse proxy of the operator is in front of the relays. It shows its own certificates. */
  isBehindProxy: boolean;
  /** Whether the operator's certificate file has a certificate of an authority for this name. */
  hasCertificateFile: (host: string) => boolean;
  /** Bit/s in each direction for devices without their own limit; null is unlimited. */
  defaultBandwidthBps: number | null;
  /** Ports that a visited address may have besides that of `publicUrl`. */
  allowedPorts: number[];
  /** Range of the public ports of TCP and UDP mappings, both ends included. */
  publicPorts: { from: number; to: number };
  /** How certificates are ordered. Undefined orders none. */
  acme: AcmeConfig | undefined;
  messages: MessageConfig;
  /** How the login by WeChat works. Undefined turns it off. */
  wechat: WechatConfig | undefined;
  billing: 'off' | 'on';
  /** The payment services of `billing: 'on'`. */
  payments: PaymentConfig;
  /** Other names of the console. No mapping may take them. */
  consoleHosts: string[];
  /** Called on the first start only, before anything is written. */
  chooseAdminPassword: () => Promise<string>;
  /** The keys hold 32 bytes. */
  secrets: { sealingKey: Buffer; gateKey: Buffer; relaySecret: string };
  /** Where agents connect. Without a host it is the name under which they reached this server. */
  tunnel: { host: string | undefined; port: number; pin: string };
  /** Where a stock frpc connects: at this port, and perhaps at the https port; undefined: nowhere. */
  frp: { port: number | undefined; isAtTlsPort: boolean } | undefined;
  /** Folder of the built console. */
  webRoot: string;
  /** File of the built agent. */
  agentFile: string;
  /** Ed25519. Devices pin its public half, and take newer agents only with its signature. */
  agentSigningKey: KeyObject;
  /** Where Node.js for devices comes from. */
  runtimes: RuntimesDeps;
  version: string;
};
