import type { UpstreamStream } from '../upstream/upstream-stream.ts';
import { encodeProxyV2 } from '../net/proxy-header.ts';
import { failureOfPoolError, pageOfFailure } from '../visitors/exchange/page-of-failure.ts';
import type { TrialPlace } from './trial-request.ts';

/** A service that speaks first does so at once. */
const SILENCE_MS = 1_500;
const MAX_BYTES = 200;

export type Greeting = { failure: string | null; greeting: string | null };

/**
 * Connects as a visitor of a port does and reads what the service says by itself. Nothing is sent but the PROXY header of
 * the mapping: a printer would print anything else.
 */
export function readGreeting({ entry, pool, visitor, grant }: TrialPlace): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    let stream: UpstreamStream | undefined;
    const finish = (failure: string | null, greeting: string | null = null) => {
      clearTimeout(timer);
      stream?.reset();
      resolve({ failure, greeting });
    };
    const timer = setTimeout(() => finish(null), SILENCE_MS);
    try {
      stream = pool.take('never', grant, { origin: visitor.connection });
    } catch (error) {
      const failure = failureOfPoolError(error);
      if (failure !== undefined) return finish(failure);
      clearTimeout(timer);
      return reject(error);
    }
    stream.events = {
      onData: (chunk) => finish(null, chunk.toString('latin1', 0, MAX_BYTES)),
      onEnd: () => finish('target-lost'),
      onFailed: (failure) => finish(pageOfFailure(failure, true)),
      onDrain() {},
    };
    if (entry.route.proxyProtocol) stream.write(proxyHeader(visitor.address));
  });
}

function proxyHeader(address: string): Buffer {
  const end = { address, port: 443 };
  return encodeProxyV2({ source: end, destination: end });
}
