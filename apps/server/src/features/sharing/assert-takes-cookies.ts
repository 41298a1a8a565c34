import { AppError } from '@tongtu/contract';
import type { MappingRow } from '../mappings/index.ts';

/** Links and members let browsers in, which show a cookie. Throws share.not-possible where only an address speaks. */
export function assertTakesCookies({ kind, tlsPassthrough }: Pick<MappingRow, 'kind' | 'tlsPassthrough'>): void {
  if (kind === 'tcp' || kind === 'udp' || tlsPassthrough) throw new AppError('share.not-possible');
}
