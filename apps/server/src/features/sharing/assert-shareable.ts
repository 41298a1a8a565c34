import { AppError } from '@tongtu/contract';
import type { MappingRow } from '../mappings/index.ts';

/** Throws share.not-possible for mappings whose visitors cannot show a cookie: links and members need one. */
export function assertShareable({ kind, tlsPassthrough }: Pick<MappingRow, 'kind' | 'tlsPassthrough'>): void {
  if (kind === 'tcp' || kind === 'udp' || tlsPassthrough) throw new AppError('share.not-possible');
}
