import { TunnelSet, type TunnelSetDeps } from './tunnel-set.ts';

/** Keeps one device connected to its relays until the signal aborts. Throws AgentError when going on is pointless. */
export async function keepConnected(deps: TunnelSetDeps, signal: AbortSignal): Promise<void> {
  if (deps.device.uid === null) {
    deps.log.info({ event: 'enrolling', serverUrl: deps.device.serverUrl }, 'enrolling this device');
  }
  await new TunnelSet(deps).run(signal);
}
