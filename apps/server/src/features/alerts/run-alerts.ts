import { runEvery } from '../../jobs/run-every.ts';
import { AbsenceWatch } from './absence-watch.ts';
import { runSender, type SenderDeps } from './sending/alert-sender.ts';
import { discardStaleDeliveries } from './sending/sending-store.ts';

const CHECK_EVERY_MS = 10_000;
const DISCARD_EVERY_MS = 60_000;

/** Watches devices and sends alerts, until disposed. */
export function runAlerts(deps: SenderDeps): AsyncDisposable {
  const parts = new AsyncDisposableStack();
  parts.use(runSender(deps));
  const watch = new AbsenceWatch(deps.db);
  const check = async (): Promise<void> => await watch.check();
  parts.use(runEvery({ name: 'watch devices', everyMs: CHECK_EVERY_MS, run: check }, deps.log));
  const discard = async (): Promise<void> => await discardStaleDeliveries(deps.db);
  parts.use(runEvery({ name: 'discard stale alerts', everyMs: DISCARD_EVERY_MS, run: discard }, deps.log));
  return parts;
}
