import { AGENT_FEATURES, type AgentFeature, type UpgradeOffer } from '@tongtu/tunnel';
import type { AgentLog } from '../events/agent-log.ts';
import { downloadAgent } from './download-agent.ts';
import { UpgradeFolder } from './upgrade-folder.ts';

/** Long enough for the answer to leave. */
const RESTART_AFTER_MS = 500;

type Result = { ok: boolean; step: 'http'; ms: number; seen: string };
export type Upgrader = (offer: UpgradeOffer) => Promise<Result>;
export type UpgraderDeps = {
  /** `upgradeKey` undefined: not known yet, so no offer can be verified. */
  device: { serverUrl: string; upgradeKey: string | undefined };
  stateDir: string;
  version: string;
  monotonicMs: () => number;
  restart: () => void;
  log: AgentLog;
  download?: (serverUrl: string) => Promise<Buffer>;
};

/** Downloads an offered agent from the server, keeps it if it is the one that the server has signed, and starts anew. */
export function createUpgrader(deps: UpgraderDeps): Upgrader {
  const { device, stateDir, version, monotonicMs, restart, log, download = downloadAgent } = deps;
  let running: { sha256: string; outcome: Promise<string | undefined> } | undefined;

  /** Why not; undefined when it starts anew. */
  async function upgrade(folder: UpgradeFolder, offer: UpgradeOffer): Promise<string | undefined> {
    log.info({ event: 'upgrade-offered', version: offer.version }, 'downloading a newer agent');
    try {
      await folder.stage(await download(device.serverUrl), offer, version);
    } catch (error) {
      const reason = reasonOf(error);
      log.warn({ event: 'upgrade-failed', version: offer.version, reason }, 'the upgrade failed');
      running = undefined;
      return reason;
    }
    setTimeout(restart, RESTART_AFTER_MS);
    return undefined;
  }

  async function answer(offer: UpgradeOffer): Promise<string | undefined> {
    if (device.upgradeKey === undefined) return 'no-key';
    const folder = new UpgradeFolder(stateDir, device.upgradeKey);
    try {
      folder.assertAcceptable(offer, version);
    } catch (error) {
      const reason = reasonOf(error);
      log.warn({ event: 'upgrade-refused', version: offer.version, reason }, 'an upgrade was refused');
      return reason;
    }
    // The connection by which it was offered first may have been lost.
    if (running?.sha256 === offer.sha256) return await running.outcome;
    if (running !== undefined) return 'busy';
    const outcome = upgrade(folder, offer);
    running = { sha256: offer.sha256, outcome };
    return await outcome;
  }

  return async (offer) => {
    const startedAtMs = monotonicMs();
    const failure = await answer(offer);
    const ms = Math.round(monotonicMs() - startedAtMs);
    return { ok: failure === undefined, step: 'http', ms, seen: failure ?? 'restarting' };
  };
}

/** An agent that nothing starts again cannot upgrade itself. */
export function featuresOf({ canUpgrade }: { canUpgrade: boolean }): AgentFeature[] {
  return AGENT_FEATURES.filter((feature) => feature !== 'upgrade' || canUpgrade);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return ('code' in error && typeof error.code === 'string' ? error.code : error.message).slice(0, 200);
}
