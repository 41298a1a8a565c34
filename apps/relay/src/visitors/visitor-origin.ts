import type { VisitorFacts } from '../http1/forwarded.ts';

/** Where a visitor's connection comes from. */
export type VisitorOrigin = VisitorFacts & {
  /** The name asked for in the TLS handshake, if any. */
  serverName: string | undefined;
};
