import type { TunnelAddress } from '@tongtu/tunnel';
import type { RelayLimits } from './relay-limits.ts';
import type { WebRules } from './web-rules.ts';

/** A certificate with its private key, both PEM. */
export type KeyAndCert = { key: string; cert: string };

/** Certificates that the operator keeps as files: single pairs, and a folder of `NAME.crt` or `NAME.pem` with `NAME.key`. */
export type CertificatePaths = { pairs: readonly PairPaths[]; folder: string | undefined };
export type PairPaths = { cert: string; key: string };

/** How many devices are to be connected before visitors are let in, and how long that is waited for. */
export type WarmUpConfig = { devices: number; timeoutMs: number };

/** `wanted`: its name in the system, or `system` for the system's default. `isReported`: logs it where it is refused. */
export type CongestionControl = { wanted: string; isReported: boolean };

export type RelayConfig = {
  relayId: string;
  listen: {
    host: string;
    httpPort: number;
    tlsPort: number;
    tunnelPort: number;
    /** For stock frpc; absent: none. */
    frpPort?: number | undefined;
    /** Whether other relay processes of this machine listen for visitors on the same ports; absent: no. */
    isShared?: boolean;
  };
  /** `tunnel`: the certificate that agents pin. `edge`: the one for browsers when no other matches. */
  /** The host name that stock frpc dials at the TLS port; absent: none. */
  frpcHost?: string | undefined;
  /** Where other relay processes of this machine take agents, which those devices are not connected to; absent: none. */
  frpcPeerPorts?: readonly number[];
  tls: { edge: KeyAndCert; tunnel: KeyAndCert; files?: CertificatePaths };
  web?: Partial<WebRules>;
  /** Addresses and CIDR ranges whose X-Forwarded-For and X-Forwarded-Proto count. Absent: none. */
  trustedProxies?: readonly string[];
  /** Every relay that visitors may reach, including this one; sent to agents. Absent: only this one. */
  tunnels?: TunnelAddress[];
  /**
   * Visitors are let in once this many devices are connected, or after `timeoutMs`: meanwhile other relay processes
   * serve them. Absent: at once.
   */
  warmUp?: WarmUpConfig;
  /** The API server: requests for a console host go there. */
  upstream: { host: string; port: number };
  /** Cloud apps: the gateway, which serves their paths of console hosts, and its secret. Absent: there are none. */
  gateway?: { host: string; port: number; secret: string };
  /** The WebSocket of relay control. */
  control: { url: string; secret: string };
  /** Of the connections of visitors and agents. Absent: the system's default. */
  congestionControl?: CongestionControl;
  /** Used until the server sends its own. Without a trailing slash. */
  consoleUrl: string;
  isConsoleHost: (host: string) => boolean;
  limits?: Partial<RelayLimits>;
};
