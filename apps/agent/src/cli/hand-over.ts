import { pathToFileURL } from 'node:url';
import { readStateFile } from '../state/state-file.ts';
import { UpgradeFolder } from '../upgrade/upgrade-folder.ts';
import { watchEventLoop } from '../upgrade/watch-event-loop.ts';

/** The exit code after which whatever started the agent starts it again. */
export const RESTART_EXIT_CODE = 75;
const ONLINE_WITHIN_MS = 60_000;
/** Once online, an agent on trial has to run for so long. */
export const PROBATION_MS = 5 * 60_000;
/** Set for the agent that was handed over to: `trial`, `probation` while online on trial, or `yes` if it has proven itself. */
const MARK = 'TONGTU_UPGRADED';

/**
 * Runs the newer agent of the state folder in this process, in place of the installed one. A trial that ends, blocks its
 * event loop, is not online within a minute, or ends in its first minutes online, is not started again. Resolves with
 * false if there is none.
 */
export async function handOver(
  stateDir: string,
  installed: string,
  onRolledBack: (version: string) => void = () => {},
): Promise<boolean> {
  if (process.env[MARK] !== undefined) return false;
  const folder = await openFolder(stateDir, onRolledBack);
  const newer = await folder?.takeForStart(installed);
  if (newer === undefined) return false;
  process.env[MARK] = newer.isTrial ? 'trial' : 'yes';
  const restart = () => process.exit(RESTART_EXIT_CODE);
  if (newer.isTrial) {
    // Of this agent's code, because that of the trial may be what is broken.
    const watch = await watchEventLoop();
    setTimeout(() => watch[Symbol.dispose](), ONLINE_WITHIN_MS + PROBATION_MS).unref();
    setTimeout(() => void folder?.isTrial().then((isTrial) => isTrial && restart()), ONLINE_WITHIN_MS);
  }
  await import(pathToFileURL(newer.file).href).catch(restart);
  return true;
}

/** To be called once the agent is online: if it is on trial, it has passed when it runs for some minutes more. */
export async function passTrial(stateDir: string): Promise<void> {
  if (process.env[MARK] !== 'trial') return;
  process.env[MARK] = 'probation';
  const folder = await openFolder(stateDir);
  await folder?.confirm();
  setTimeout(() => {
    process.env[MARK] = 'yes';
    void folder?.endProbation().catch(() => {}); // the folder is full: the next start tries another agent
  }, PROBATION_MS).unref();
}

/** To be called when a person or the system stops the agent: that says nothing against an agent on trial. */
export async function postponeTrial(stateDir: string): Promise<void> {
  const mark = process.env[MARK];
  if (mark === 'trial' || mark === 'probation') await (await openFolder(stateDir))?.tryAgain();
}

async function openFolder(
  stateDir: string,
  onRolledBack?: (version: string) => void,
): Promise<UpgradeFolder | undefined> {
  const state = await readStateFile(stateDir).catch(() => undefined); // startAgent reports a damaged one
  return state?.upgradeKey === undefined ? undefined : new UpgradeFolder(stateDir, state.upgradeKey, onRolledBack);
}
