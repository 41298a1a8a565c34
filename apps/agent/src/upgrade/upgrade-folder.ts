import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '@tongtu/base';
import { UpgradeOffer } from '@tongtu/tunnel';
import { z } from 'zod';
import { isNewer, isSignedBy } from './upgrade-offer.ts';

const RECORD_FILE = 'upgrade.json';

/**
 * `trial`: not yet online once. It is started once: if it ends, or is not online in time, the next start takes the last one
 * that has proven itself: `previous`, or the agent that was installed. So it does if the agent ends in its first minutes
 * online, `onProbation`. `failed` is not started again.
 *
 * Installed agents from before probation read these records as well, and ignore that field.
 */
const UpgradeRecord = UpgradeOffer.extend({
  phase: z.enum(['staged', 'trial', 'confirmed', 'failed']),
  onProbation: z.boolean().optional(),
  previous: UpgradeOffer.optional(),
});
type UpgradeRecord = z.infer<typeof UpgradeRecord>;

/**
 * The newer agent that the console has sent, in a folder beside the state: a service may not write where the agent is
 * installed. The installed agent starts first and hands over to it, so it can take over again.
 */
export class UpgradeFolder {
  readonly #folder: string;
  readonly #upgradeKey: string;
  readonly #onRolledBack: (version: string) => void;

  /** `onRolledBack`: this version was tried, and ended too soon. */
  constructor(stateDir: string, upgradeKey: string, onRolledBack: (version: string) => void = () => {}) {
    this.#folder = path.join(stateDir, 'upgrade');
    this.#upgradeKey = upgradeKey;
    this.#onRolledBack = onRolledBack;
  }

  /** Throws if the signature is not right, or the offered agent is not newer than the running one. */
  assertAcceptable(offer: UpgradeOffer, running: string): void {
    if (!isSignedBy(this.#upgradeKey, offer)) throw new Error('bad-signature');
    if (!isNewer(offer.version, running)) throw new Error('not-newer');
  }

  /** Keeps an agent for the next start. Throws as `assertAcceptable`, or if the hash is not right. */
  async stage(bytes: Buffer, offer: UpgradeOffer, running: string): Promise<void> {
    this.assertAcceptable(offer, running);
    if (createHash('sha256').update(bytes).digest('hex') !== offer.sha256) throw new Error('bad-hash');
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#write(fileOf(offer.version), bytes);
    const record = await this.#read();
    const previous = record !== undefined && isProven(record) ? offerOf(record) : record?.previous;
    await this.#save({ ...offer, phase: 'staged', previous });
    await this.#removeOthers([offer, previous]);
  }

  /** What the installed agent of this version shall hand over to. Undefined: it runs itself. Call it once a start. */
  async takeForStart(installed: string): Promise<{ file: string; isTrial: boolean } | undefined> {
    const record = await this.#read();
    if (record === undefined || record.phase === 'failed' || !isNewer(record.version, installed)) return undefined;
    const hasEndedTooSoon = record.phase === 'trial' || record.onProbation === true;
    if (hasEndedTooSoon) this.#onRolledBack(record.version);
    if (hasEndedTooSoon || !(await this.#isWhole(record))) return await this.#fallBack(record, installed);
    if (record.phase === 'staged') await this.#save({ ...record, phase: 'trial' });
    return { file: this.#pathOf(record), isTrial: record.phase === 'staged' };
  }

  async #fallBack(record: UpgradeRecord, installed: string): Promise<{ file: string; isTrial: false } | undefined> {
    const { previous } = record;
    if (previous === undefined || !isNewer(previous.version, installed) || !(await this.#isWhole(previous))) {
      await this.#save({ ...record, phase: 'failed', previous: undefined });
      return undefined;
    }
    await this.#save({ ...previous, phase: 'confirmed' });
    return { file: this.#pathOf(previous), isTrial: false };
  }

  /** The trial is online. */
  async confirm(): Promise<void> {
    const record = await this.#read();
    if (record?.phase === 'trial') await this.#save({ ...record, phase: 'confirmed', onProbation: true });
  }

  /** It has run for long enough: later starts take it. */
  async endProbation(): Promise<void> {
    const record = await this.#read();
    if (record?.onProbation === true) await this.#save({ ...record, onProbation: false });
  }

  /** It was stopped on purpose before that: the next start tries it once more. */
  async tryAgain(): Promise<void> {
    const record = await this.#read();
    if (record === undefined || (record.phase !== 'trial' && record.onProbation !== true)) return;
    await this.#save({ ...record, phase: 'staged', onProbation: false });
  }

  /** Whether one was started that has not been online yet. */
  async isTrial(): Promise<boolean> {
    return (await this.#read())?.phase === 'trial';
  }

  async #isWhole(offer: UpgradeOffer): Promise<boolean> {
    if (!isSignedBy(this.#upgradeKey, offer)) return false;
    const bytes = await readFile(this.#pathOf(offer)).catch(() => Buffer.alloc(0));
    return createHash('sha256').update(bytes).digest('hex') === offer.sha256;
  }

  #pathOf({ version }: UpgradeOffer): string {
    return path.join(this.#folder, fileOf(version));
  }

  async #read(): Promise<UpgradeRecord | undefined> {
    const text = await readFile(path.join(this.#folder, RECORD_FILE), 'utf8').catch(() => '');
    return UpgradeRecord.safeParse(parseJson(text)).data;
  }

  async #save(record: UpgradeRecord): Promise<void> {
    await this.#write(RECORD_FILE, Buffer.from(JSON.stringify(record)));
  }

  /** A power cut leaves the old file or the new one, whole. */
  async #write(name: string, bytes: Buffer): Promise<void> {
    const draft = path.join(this.#folder, `${name}.${randomBytes(4).toString('hex')}`);
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path.join(this.#folder, name));
  }

  async #removeOthers(kept: readonly (UpgradeOffer | undefined)[]): Promise<void> {
    const names = [RECORD_FILE, ...kept.map((offer) => offer && fileOf(offer.version))];
    const others = (await readdir(this.#folder)).filter((name) => !names.includes(name));
    await Promise.all(others.map((name) => rm(path.join(this.#folder, name), { force: true })));
  }
}

function isProven({ phase, onProbation }: UpgradeRecord): boolean {
  return phase === 'confirmed' && onProbation !== true;
}

function offerOf({ version, sha256, signature }: UpgradeOffer): UpgradeOffer {
  return { version, sha256, signature };
}

function fileOf(version: string): string {
  return `tongtu-agent-${version}.mjs`;
}
