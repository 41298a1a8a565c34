import { access, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { AgentError, type AgentOutcome, startAgent, startWelcomePage } from '@tongtu/agent';
import type { RunningServer } from '@tongtu/server';
import type { Logger } from 'pino';
import type { StackConfig } from './config.ts';
import { localTunnelPort } from './settings/tunnel-ports.ts';

// A fixed port, if it is free, so that the welcome mapping's target reads the same after a restart.
const WELCOME_PORT = 7080;

/** `removed`: its owner deleted the device, and it stays away until `marker` is removed. */
export type LocalAgentState =
  | { type: 'online'; welcomeUrl: string | undefined }
  | { type: 'removed'; marker: string }
  | { type: 'failed' };

export type LocalAgent = AsyncDisposable & {
  state: Promise<LocalAgentState>;
  /** Ends its log lines: while the product stops, the agent loses its relays as expected. */
  silenceLog(): void;
};

type Input = { config: StackConfig; version: string; server: RunningServer; log: Logger };

/**
 * Makes this machine the first device, so that a fresh installation has something to open.
 * Its failure is logged and affects nothing else.
 */
export function startLocalAgent(input: Input): LocalAgent {
  const parts = new AsyncDisposableStack();
  const log = input.log.child({ part: 'agent' });
  const state = start(input, parts, log).catch((err: unknown): LocalAgentState => {
    if (!parts.disposed) input.log.error({ err }, 'the agent of this machine did not start');
    return { type: 'failed' };
  });
  return { state, silenceLog: () => (log.level = 'silent'), [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

async function start(input: Input, parts: AsyncDisposableStack, agentLog: Logger): Promise<LocalAgentState> {
  const { config, version, server, log } = input;
  const stateDir = path.join(config.dataDir, 'local-agent');
  const marker = path.join(config.dataDir, 'local-agent-removed');
  if (await exists(marker)) return { type: 'removed', marker };
  const host = isAnyAddress(config.host) ? '127.0.0.1' : config.host;
  const page = parts.use(await startWelcomePage({ preferredPort: WELCOME_PORT }));
  const agent = parts.use(
    await startAgent(
      {
        serverUrl: `http://${host}:${config.httpPort}`,
        token: await server.localAgentToken(),
        stateDir,
        name: hostname().slice(0, 40),
        // The public address may not resolve here, or may lead out and back in.
        reach: ({ port }) => ({ host, port: localTunnelPort(config, port) }),
        version,
      },
      agentLog,
    ),
  );
  void agent.finished.then((outcome) => noteEnd(outcome, { marker, log }));
  const { uid } = await agent.whenOnline();
  return { type: 'online', welcomeUrl: await server.ensureWelcomeMapping({ deviceUid: uid, targetPort: page.port }) };
}

/** Without the marker the next start would enrol the deleted device again. */
async function noteEnd(outcome: AgentOutcome, { marker, log }: { marker: string; log: Logger }): Promise<void> {
  if (outcome.type === 'stopped') return;
  log.warn({ err: outcome.error }, 'the agent of this machine has ended');
  if (outcome.error instanceof AgentError && outcome.error.code === 'device.removed') {
    await writeFile(marker, '').catch((err: unknown) =>
      log.warn({ err }, 'could not store that the device was deleted'),
    );
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}

function isAnyAddress(host: string): boolean {
  return host === '::' || host === '0.0.0.0';
}
