import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AgentError } from '../events/agent-error.ts';
import { readIdentity } from './identity.ts';

const STATE_FILE = 'agent.json';

const AgentState = z.object({
  version: z.literal(1),
  serverUrl: z.url({ protocol: /^https?$/ }),
  privateKey: z.string().refine(isPrivateKey, 'not an Ed25519 key'),
  /** null until the server has accepted the key as a device. */
  uid: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .nullable(),
  relayPin: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** The key that signs newer agents, as the server first showed it. Absent until the server has one. */
  upgradeKey: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .optional(),
  tunnelHost: z.string().min(1),
  tunnelPort: z.number().int().min(1).max(65_535),
  /** The last list of relays, so that the device can reconnect while one is down. Empty: only the one above. */
  tunnels: z.array(z.object({ host: z.string().min(1), port: z.number().int().min(1).max(65_535) })).default([]),
});

/** What an agent stores: its identity, and the address and key of its relay. */
export type AgentState = z.infer<typeof AgentState>;

/** Undefined when the folder holds no state. Throws AgentError for a file that cannot be read or understood. */
export async function readStateFile(stateDir: string): Promise<AgentState | undefined> {
  const file = path.join(stateDir, STATE_FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // fs rejects with ErrnoException
    throw new AgentError('state.unusable', { cause, detail: file });
  }
  try {
    return AgentState.parse(JSON.parse(text));
  } catch (cause) {
    throw new AgentError('state.damaged', { cause, detail: file });
  }
}

/** Replaces the state file so that a crash or a power cut leaves either the old or the new one, whole. */
export async function writeStateFile(stateDir: string, state: AgentState): Promise<void> {
  const file = path.join(stateDir, STATE_FILE);
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(state, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    await syncFolder(stateDir);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {}); // the folder itself may be what is wrong
    throw new AgentError('state.unusable', { cause, detail: file });
  }
}

/** Makes the rename durable, which a power cut could undo otherwise. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isPrivateKey(text: string): boolean {
  try {
    readIdentity(text);
    return true;
  } catch {
    return false; // the reason is the key itself, which nobody should log
  }
}
