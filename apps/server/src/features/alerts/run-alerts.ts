import { runEvery } from '../../jobs/run-every.ts';
import { AbsenceWatch } from './absence-watch.ts';
import { runSender, type SenderDeps } from './sending/alert-sender.ts';
import { dropUnwanted } from './sending/sending-store.ts';

const LOOK_EVERY_MS = 10_000;
const DROP_EVERY_MS = 60_000;

/** Looks for devices that go and come, and sends what there is to tell, until disposed. */
export function runAlerts(deps: SenderDeps): AsyncDisposable {
  const parts = new AsyncDisposableStack();
  parts.use(runSender(deps));
  const watch = new AbsenceWatch(deps.db);
  parts.use(runEvery({ name: 'watch devices', everyMs: LOOK_EVERY_MS, run: async () => await watch.look() }, deps.log));
  const drop = async (): Promise<void> => await dropUnwanted(deps.db);
  parts.use(runEvery({ name: 'drop unwanted alerts', everyMs: DROP_EVERY_MS, run: drop }, deps.log));
  return parts;
}
