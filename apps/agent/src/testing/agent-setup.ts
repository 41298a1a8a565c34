import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentConfig } from '../agent-config.ts';
import type { AgentEvent, AgentLog } from '../events/agent-log.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { TestRelay } from './test-relay.ts';

export const version = '0.1.0';

/** Records every event and lets a test wait for one. */
function recordingLog(): AgentLog & { events: AgentEvent[]; until(event: AgentEvent['event']): Promise<AgentEvent> } {
  const events: AgentEvent[] = [];
  let onEvent = () => {};
  const record = (event: AgentEvent) => {
    events.push(event);
    onEvent();
  };
  return {
    events,
    info: record,
    warn: record,
    async until(wanted) {
      for (;;) {
        const found = events.find((event) => event.event === wanted);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (onEvent = resolve));
      }
    },
  };
}

/** A relay, an empty state folder and a configuration for both. */
export async function setUp(overrides: Partial<AgentConfig> = {}) {
  const parts = new AsyncDisposableStack();
  const relay = parts.use(await TestRelay.start());
  const folder = parts.use(await makeTemporaryFolder());
  const stateDir = path.join(folder.path, 'state');
  const config: AgentConfig = {
    serverUrl: relay.serverUrl,
    token: 'tt_good',
    stateDir,
    version,
    random: () => 0,
    ...overrides,
  };
  return { relay, config, stateDir, log: recordingLog(), [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

export const readState = async (stateDir: string) =>
  JSON.parse(await readFile(path.join(stateDir, 'agent.json'), 'utf8'));
