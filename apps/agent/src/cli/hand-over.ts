import { pathToFileURL } from 'node:url';
import { readStateFile } from '../state/state-file.ts';
import { UpgradeFolder } from '../upgrade/upgrade-folder.ts';

/** The exit code after which whatever started the agent starts it again. */
export const RESTART_EXIT_CODE = 75;
const ONLINE_WITHIN_MS = 60_000;
/** Set for the agent that was handed over to: `trial`, or `yes` if it was online before. */
const MARK = 'TONGTU_UPGRADED';

/**
 * Runs the newer agent of the state folder in this process, in place of the installed one. A trial that ends, or is not
 * online within a minute, is not started again. Resolves with false if there is none.
 */
export async function handOver(stateDir: string, installed: string): Promise<boolean> {
  if (process.env[MARK] !== undefined) return false;
  const folder = await openFolder(stateDir);
  const newer = await folder?.takeForStart(installed);
  if (newer === undefined) return false;
  process.env[MARK] = newer.isTrial ? 'trial' : 'yes';
  const restart = () => process.exit(RESTART_EXIT_CODE);
  if (newer.isTrial) setTimeout(() => void folder?.isTrial().then((isTrial) => isTrial && restart()), ONLINE_WITHIN_MS);
  await import(pathToFileURL(newer.file).href).catch(restart);
  return true;
}

/** To be called once the agent is online: if it is on trial, it has passed. */
export async function passTrial(stateDir: string): Promise<void> {
  if (process.env[MARK] !== 'trial') return;
  process.env[MARK] = 'yes';
  await (await openFolder(stateDir))?.confirm();
}

async function openFolder(stateDir: string): Promise<UpgradeFolder | undefined> {
  const state = await readStateFile(stateDir).catch(() => undefined); // startAgent reports a damaged one
  return state?.upgradeKey === undefined ? undefined : new UpgradeFolder(stateDir, state.upgradeKey);
}
