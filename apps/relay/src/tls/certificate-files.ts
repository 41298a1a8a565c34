import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { CertificatePaths, PairPaths } from '../config/relay-config.ts';
import { ServedCertificate } from './served-certificate.ts';

export type { ServedCertificate };

export type CertificateFilesOptions = {
  paths: CertificatePaths;
  onChange: (certificates: ServedCertificate[]) => void;
  log: Logger;
  /** Writers replace two files one after the other: wait for both. */
  settleMs: number;
  /** Network drives report no changes, so the files are also polled. */
  pollMs: number;
};

type KeptPair = { paths: PairPaths; signature: string; certificate: ServedCertificate | undefined };

/** Follows the operator's certificate files. A pair that cannot be used is logged once, and the one before stays. */
export class CertificateFiles implements Disposable {
  readonly #options: CertificateFilesOptions;
  readonly #watchers: FSWatcher[] = [];
  #kept = new Map<string, KeptPair>();
  #settling: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #scanning: Promise<void> | undefined;
  #isStale = false;
  #isFolderLost = false;
  #isStopped = false;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
  }

  /** Resolves when all files were read. */
  async start(): Promise<void> {
    const { paths, pollMs } = this.#options;
    if (paths.pairs.length === 0 && paths.folder === undefined) return;
    const folders = new Set(paths.pairs.flatMap(({ cert, key }) => [path.dirname(cert), path.dirname(key)]));
    if (paths.folder !== undefined) folders.add(paths.folder);
    for (const folder of folders) this.#watch(folder);
    this.#poll = setInterval(() => this.#scanSoon(), pollMs);
    this.#poll.unref();
    await this.#scan();
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    clearTimeout(this.#settling);
    clearInterval(this.#poll);
    for (const watcher of this.#watchers) watcher.close();
  }

  #watch(folder: string): void {
    const { log } = this.#options;
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#scanSoon());
      watcher.on('error', (err) => log.warn({ err, folder }, 'certificate files are only looked at now and then'));
      this.#watchers.push(watcher);
    } catch (err) {
      log.warn({ err, folder }, 'certificate files are only looked at now and then');
    }
  }

  #scanSoon(): void {
    // Further changes do not delay it: otherwise a folder that always changes would never be read.
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      void this.#scan();
    }, this.#options.settleMs).unref();
  }

  /** One scan at a time; a change during a scan causes another one. Never rejects. */
  async #scan(): Promise<void> {
    this.#isStale = true;
    this.#scanning ??= this.#scanUntilFresh().finally(() => (this.#scanning = undefined));
    await this.#scanning;
  }

  async #scanUntilFresh(): Promise<void> {
    while (this.#isStale && !this.#isStopped) {
      this.#isStale = false;
      const { pairs } = this.#options.paths;
      const kept = new Map<string, KeptPair>();
      let hasChanged = false;
      for (const pair of [...pairs, ...withoutFilesOf(pairs, await this.#pairsInFolder())]) {
        const before = this.#kept.get(pair.key);
        const current = await this.#read(pair, before);
        kept.set(pair.key, current);
        hasChanged ||= current.certificate !== before?.certificate;
      }
      hasChanged ||= [...this.#kept].some(([key, { certificate }]) => certificate !== undefined && !kept.has(key));
      this.#kept = kept;
      if (hasChanged && !this.#isStopped) this.#notify();
    }
  }

  #notify(): void {
    const certificates = [...this.#kept.values()].flatMap(({ certificate }) => certificate ?? []);
    this.#options.log.info({ certificates: certificates.length }, 'certificate files read');
    this.#options.onChange(certificates);
  }

  /** A pair whose files did not change is not read again, and so not logged again. */
  async #read(paths: PairPaths, before: KeptPair | undefined): Promise<KeptPair> {
    const { cert, key } = paths;
    const signature = `${cert} ${await signatureOf(cert)} ${await signatureOf(key)}`;
    if (before?.signature === signature) return before;
    try {
      const certificate = new ServedCertificate({
        cert: await readFile(cert, 'utf8'),
        key: await readFile(key, 'utf8'),
      });
      // OpenSSL's errors must show now and not in a visitor's handshake.
      void certificate.context;
      return { paths, signature, certificate };
    } catch (err) {
      const outcome = before?.certificate === undefined ? 'is not used' : 'is not used, the one before stays';
      this.#options.log.error({ err, cert, key }, `a certificate ${outcome}`);
      return { paths, signature, certificate: before?.certificate };
    }
  }

  async #pairsInFolder(): Promise<PairPaths[]> {
    const { folder } = this.#options.paths;
    if (folder === undefined) return [];
    try {
      const names = await readdir(folder);
      this.#isFolderLost = false;
      return pairsOf(names).map(({ cert, key }) => ({ cert: path.join(folder, cert), key: path.join(folder, key) }));
    } catch (err) {
      if (!this.#isFolderLost) this.#options.log.error({ err, folder }, 'the folder of certificates cannot be read');
      this.#isFolderLost = true;
      return [...this.#kept.values()].map(({ paths }) => paths);
    }
  }
}

/** A half of a pair counts as a pair, so that it is logged, and so that a pair in the middle of a write is kept. */
function pairsOf(names: readonly string[]): PairPaths[] {
  const present = new Set(names);
  const stems = names.flatMap((name) => (/\.(crt|pem|key)$/.test(name) ? path.parse(name).name : []));
  return [...new Set(stems)].map((stem) => ({
    cert: present.has(`${stem}.pem`) && !present.has(`${stem}.crt`) ? `${stem}.pem` : `${stem}.crt`,
    key: `${stem}.key`,
  }));
}

/** A file of a configured pair makes no pair of its own when it lies in the folder. */
function withoutFilesOf(named: readonly PairPaths[], found: readonly PairPaths[]): PairPaths[] {
  const taken = new Set(named.flatMap(({ cert, key }) => [path.resolve(cert), path.resolve(key)]));
  return found.filter(({ cert, key }) => !taken.has(path.resolve(cert)) && !taken.has(path.resolve(key)));
}

/** Changes when the file changes or is replaced. */
async function signatureOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? 'missing' : `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
}
