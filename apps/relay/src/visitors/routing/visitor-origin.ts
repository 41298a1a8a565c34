import type { VisitorFacts } from '../../codecs/http/forwarded.ts';

/** Where a visitor's connection comes from. */
export type VisitorOrigin = VisitorFacts & {
  /** The name asked for in the TLS handshake, if any. */
  serverName: string | undefined;
};
