import type { TunnelAddress } from '@tongtu/tunnel';

export type AgentConfig = {
  /** Required until the state folder contains it. */
  serverUrl?: string;
  /** Account token or one-time binding token; used only to enrol, never stored. Without one a link is shown instead. */
  token?: string;
  stateDir: string;
  /** What the device is called in the console at first; the host name when not given. */
  name?: string;
  /** The relay key to insist on: base64url SHA-256 of its SPKI. */
  pin?: string;
  /** The address to dial for a relay with this public address; by default the same. */
  reach?: (address: TunnelAddress) => TunnelAddress;
  /** False: never scan the LAN, even when the console asks. */
  discovery?: boolean;
  /** False: leave the congestion control of the connections to relays as it is. */
  bbr?: boolean;
  version: string;
  /** Ends this agent so that it is started again. Absent where nothing would: it then takes no upgrade. */
  restart?: () => void;
  /** Where a diagnosis looks for the settings of a proxy. */
  env?: NodeJS.ProcessEnv;
  random?: () => number;
  monotonicMs?: () => number;
  wallClockMs?: () => number;
};
