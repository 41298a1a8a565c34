import { lazy, Suspense } from 'react';
import { Mono } from '../ui/mono.tsx';

/** Most hosts are written in ASCII and need no decoder. */
const DecodedHost = lazy(async () => ({ default: (await import('./decoded-host.tsx')).DecodedHost }));

/** The host that the visitor wants to open. */
export function HostName({ host }: { host: string }) {
  const asWritten = <Mono>{host}</Mono>;
  if (!host.includes('xn--')) return asWritten;
  return (
    <Suspense fallback={asWritten}>
      <DecodedHost host={host} />
    </Suspense>
  );
}
