import type { Logger } from 'pino';
import type { HttpDate } from '../../codecs/http/http-date.ts';
import type { RelayLimits } from '../../config/relay-limits.ts';
import type { DispatchDeps } from './dispatch.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** What a visitor's connection of any protocol needs. */
export type VisitorDeps = DispatchDeps & {
  limits: RelayLimits;
  log: Logger;
  date: HttpDate;
  proxies: TrustedProxies;
  isDraining: () => boolean;
  onClosed: () => void;
};
