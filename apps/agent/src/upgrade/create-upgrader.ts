import { AGENT_FEATURES, type AgentFeature, type UpgradeOffer } from '@tongtu/tunnel';
import { callHttp, readBody } from '../net/call-http.ts';
import { UpgradeFolder } from './upgrade-folder.ts';

const DOWNLOAD_WITHIN_MS = 8000;
const MAX_AGENT_BYTES = 5_000_000;
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
};

/** Downloads an offered agent from the server, keeps it if it is the one that the server has signed, and starts anew. */
export function createUpgrader({ device, stateDir, version, monotonicMs, restart }: UpgraderDeps): Upgrader {
  let isBusy = false;
  return async (offer) => {
    const startedAtMs = monotonicMs();
    const answer = (ok: boolean, seen: string): Result => ({
      ok,
      step: 'http',
      ms: Math.round(monotonicMs() - startedAtMs),
      seen,
    });
    if (device.upgradeKey === undefined) return answer(false, 'no-key');
    if (isBusy) return answer(false, 'busy');
    isBusy = true;
    try {
      const bytes = await download(new URL('/agent/tongtu-agent.mjs', device.serverUrl));
      await new UpgradeFolder(stateDir, device.upgradeKey).stage(bytes, offer, version);
    } catch (error) {
      isBusy = false;
      return answer(false, error instanceof Error ? error.message.slice(0, 200) : 'failed');
    }
    setTimeout(restart, RESTART_AFTER_MS);
    return answer(true, 'restarting');
  };
}

/** An agent that nothing starts again cannot upgrade itself. */
export function featuresOf({ canUpgrade }: { canUpgrade: boolean }): AgentFeature[] {
  return AGENT_FEATURES.filter((feature) => feature !== 'upgrade' || canUpgrade);
}

async function download(url: URL): Promise<Buffer> {
  const { response, status } = await callHttp(url, { signal: AbortSignal.timeout(DOWNLOAD_WITHIN_MS) });
  if (status === 200) return await readBody(response, MAX_AGENT_BYTES);
  response.destroy();
  throw new Error(`status-${status}`);
}
