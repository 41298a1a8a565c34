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
 * that was online: `previous`, or the agent that was installed. `failed` is not started again.
 */
const UpgradeRecord = UpgradeOffer.extend({
  phase: z.enum(['staged', 'trial', 'confirmed', 'failed']),
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

  constructor(stateDir: string, upgradeKey: string) {
    this.#folder = path.join(stateDir, 'upgrade');
    this.#upgradeKey = upgradeKey;
  }

  /** Keeps an agent for the next start. Throws if the signature or the hash is not right, or it is not newer. */
  async stage(bytes: Buffer, offer: UpgradeOffer, running: string): Promise<void> {
    if (!isSignedBy(this.#upgradeKey, offer)) throw new Error('bad-signature');
    if (createHash('sha256').update(bytes).digest('hex') !== offer.sha256) throw new Error('bad-hash');
    if (!isNewer(offer.version, running)) throw new Error('not-newer');
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#write(fileOf(offer.version), bytes);
    const record = await this.#read();
    const previous = record?.phase === 'confirmed' ? offerOf(record) : record?.previous;
    await this.#save({ ...offer, phase: 'staged', previous });
    await this.#removeOthers([offer, previous]);
  }

  /** What the installed agent of this version shall hand over to. Undefined: it runs itself. Call it once a start. */
  async takeForStart(installed: string): Promise<{ file: string; isTrial: boolean } | undefined> {
    const record = await this.#read();
    if (record === undefined || record.phase === 'failed' || !isNewer(record.version, installed)) return undefined;
    // Started once before, and it never came online.
    if (record.phase === 'trial' || !(await this.#isWhole(record))) return await this.#fallBack(record, installed);
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

  /** The trial is online: later starts take it. */
  async confirm(): Promise<void> {
    const record = await this.#read();
    if (record?.phase === 'trial') await this.#save({ ...record, phase: 'confirmed' });
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

function offerOf({ version, sha256, signature }: UpgradeOffer): UpgradeOffer {
  return { version, sha256, signature };
}

function fileOf(version: string): string {
  return `tongtu-agent-${version}.mjs`;
}
