import type { ConnectionOrigin } from '@tongtu/tunnel';
import type { ForwardedLines, VisitorFacts } from '../../codecs/http/forwarded.ts';

/** Where a visitor's connection comes from. */
export type VisitorOrigin = VisitorFacts & {
  /** The name asked for in the TLS handshake, if any. */
  serverName: string | undefined;
  /** The connection to the relay. Behind a proxy that is the proxy's. */
  connection?: ConnectionOrigin | undefined;
};

/** The visitor of a request: where it comes from, and the lines that say so to services. */
export type Visitor = { origin: VisitorOrigin; forwarded: ForwardedLines };
