import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '@tongtu/base';
import { z } from 'zod';
import type { AgentEvent, AgentLog } from './agent-log.ts';
import { withoutSecrets } from './without-secrets.ts';

const FILE = 'events.jsonl';
const KEPT_EVENTS = 200;
/** The file is shortened when it has so many lines. */
const MAX_EVENTS = 400;

const StoredEvent = z.looseObject({ at: z.iso.datetime(), event: z.string() });
export type StoredEvent = z.infer<typeof StoredEvent>;

/**
 * Stores what an agent logs in its state folder, without secrets, so that a diagnosis can show why the device was offline.
 * A folder that cannot be written costs the history and nothing else.
 */
export class EventHistory {
  readonly #stateDir: string;
  readonly #wallClock: () => Date;
  #writing: Promise<void> = Promise.resolve();
  #lineCount: number | undefined;

  constructor(stateDir: string, wallClock: () => Date) {
    this.#stateDir = stateDir;
    this.#wallClock = wallClock;
  }

  /** A log that stores each event, and passes it on. */
  recording(log: AgentLog): AgentLog {
    return {
      info: (event, message) => {
        this.#add(event);
        log.info(event, message);
      },
      warn: (event, message) => {
        this.#add(event);
        log.warn(event, message);
      },
    };
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #add(event: AgentEvent): void {
    const line = withoutSecrets(JSON.stringify({ at: this.#wallClock().toISOString(), ...event }));
    this.#writing = this.#writing.then(async () => await this.#write(line)).catch(() => undefined); // see the class
  }

  async #write(line: string): Promise<void> {
    const file = path.join(this.#stateDir, FILE);
    this.#lineCount ??= (await readLines(this.#stateDir)).length;
    await appendFile(file, `${line}\n`, { mode: 0o600 });
    if (++this.#lineCount <= MAX_EVENTS) return;
    const kept = shorten(await readLines(this.#stateDir));
    await writeFile(`${file}.new`, `${kept.join('\n')}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
    this.#lineCount = kept.length;
  }
}

/** The last events of the agent with this state folder, the oldest first. Lines that a power cut has damaged are left out. */
export async function readEventHistory(stateDir: string): Promise<StoredEvent[]> {
  const parsed = shorten(await readLines(stateDir)).map((line) => StoredEvent.safeParse(parseJson(line)));
  return parsed.flatMap(({ data }) => data ?? []);
}

/** Keeps the last lines, and however old it is the one that says since when the agent is online or offline. */
function shorten(lines: readonly string[]): string[] {
  const kept = lines.slice(-KEPT_EVENTS);
  const isChange = (line: string) => /"event":"(online|offline)"/.test(line);
  const lastChange = lines.findLast(isChange);
  return lastChange === undefined || kept.some(isChange) ? kept : [lastChange, ...kept.slice(1)];
}

async function readLines(stateDir: string): Promise<string[]> {
  try {
    return (await readFile(path.join(stateDir, FILE), 'utf8')).split('\n').filter((line) => line !== '');
  } catch {
    return []; // there is none yet, or nobody may read it
  }
}
