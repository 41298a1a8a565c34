import type { TunnelAddress } from '@tongtu/tunnel';

export type AgentConfig = {
  /** Needed until the state folder knows it. */
  serverUrl?: string;
  /** Account token or one-time binding token; used only to enrol, never stored. Without one a link is shown instead. */
  token?: string;
  stateDir: string;
  /** What the device is called in the console at first; the host name when not given. */
  name?: string;
  /** The relay key to insist on: base64url SHA-256 of its SPKI. */
  pin?: string;
  /** Where a relay is reached from here whose address for everybody is this; there when not given. */
  reach?: (address: TunnelAddress) => TunnelAddress;
  version: string;
  random?: () => number;
  /** Monotonic milliseconds. */
  now?: () => number;
};
