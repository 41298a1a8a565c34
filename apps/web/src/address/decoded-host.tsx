import { shownHost } from './shown-host.ts';
import { Mono } from '../ui/mono.tsx';

/** A host with labels in punycode, in its own script. */
export function DecodedHost({ host }: { host: string }) {
  return <Mono>{shownHost(host)}</Mono>;
}
