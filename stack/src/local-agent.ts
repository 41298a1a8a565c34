import { hostname } from 'node:os';
import path from 'node:path';
import { startAgent, startWelcomePage } from '@tongtu/agent';
import type { RunningServer } from '@tongtu/server';
import type { Logger } from 'pino';
import type { StackConfig } from './config.ts';

// Kept where possible, so that the welcome mapping's target reads the same after a restart.
const WELCOME_PORT = 7080;

export type LocalAgent = AsyncDisposable & { welcomeUrl: Promise<string | undefined> };

/**
 * Makes this machine the first device, so that a fresh installation has something to open.
 * Runs beside the product: its failure is logged and leaves everything else working.
 */
export function startLocalAgent(input: {
  config: StackConfig;
  version: string;
  httpPort: number;
  server: RunningServer;
  log: Logger;
}): LocalAgent {
  const parts = new AsyncDisposableStack();
  const welcomeUrl = enrol(input, parts).catch((err: unknown) => {
    input.log.error({ err }, 'the agent of this machine did not start');
    return undefined;
  });
  return {
    welcomeUrl,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function enrol(
  { config, version, httpPort, server, log }: Parameters<typeof startLocalAgent>[0],
  parts: AsyncDisposableStack,
): Promise<string | undefined> {
  const page = parts.use(await startWelcomePage({ preferredPort: WELCOME_PORT }));
  const agent = parts.use(
    await startAgent(
      {
        serverUrl: `http://${isAnyAddress(config.host) ? '127.0.0.1' : config.host}:${httpPort}`,
        token: await server.localAgentToken(),
        stateDir: path.join(config.dataDir, 'local-agent'),
        name: hostname().slice(0, 40),
        version,
      },
      log.child({ part: 'agent' }),
    ),
  );
  const { uid } = await agent.whenOnline();
  return await server.ensureWelcomeMapping({ deviceUid: uid, targetPort: page.port });
}

function isAnyAddress(host: string): boolean {
  return host === '::' || host === '0.0.0.0';
}
