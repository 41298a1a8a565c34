import type { SeenHost } from '@tongtu/tunnel';
import type { Db } from '../../db/driver.ts';
import { insertHost, type KnownHost, listKnownHosts, updateHost, upsertServices } from './lan-host-store.ts';
import { updateRunningScan } from './lan-scan-store.ts';
import { type DescribedHost, describeHost } from './recognition/describe-host.ts';
import type { VendorTable } from './vendors/vendor-table.ts';

/** More hosts of one device are not stored, whatever it reports over time. */
const MAX_STORED_HOSTS = 512;

type Run = { deviceId: number; runId: string };

/** Stores what one scan sees, in the rows of earlier scans where the hosts are the same. */
export class Findings {
  readonly #run: Run;
  readonly #vendors: VendorTable;
  readonly #known: KnownHost[];
  /** The rows of hosts that this scan has seen, by address. */
  readonly #seen = new Map<string, number>();

  private constructor(run: Run, vendors: VendorTable, known: KnownHost[]) {
    this.#run = run;
    this.#vendors = vendors;
    this.#known = known;
  }

  static async open(db: Db, run: Run, vendors: VendorTable): Promise<Findings> {
    return new Findings(run, vendors, await listKnownHosts(db, run.deviceId));
  }

  /** False when the scan is not to go on: its owner has switched it off, or another has begun. */
  async store(db: Db, hosts: readonly SeenHost[], percent: number): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      if (!(await updateRunningScan(tx, this.#run, percent))) return false;
      for (const host of hosts) {
        await this.#storeHost(tx, describeHost(host, host.mac === undefined ? '' : this.#vendors.find(host.mac)));
      }
      return true;
    });
  }

  async #storeHost(tx: Db, { services, ...host }: DescribedHost): Promise<void> {
    const id = await this.#rowOf(tx, host);
    if (id === undefined) return;
    await updateHost(tx, id, host);
    await upsertServices(tx, id, services);
  }

  async #rowOf(tx: Db, host: Omit<DescribedHost, 'services'>): Promise<number | undefined> {
    const known = this.#seen.get(host.address) ?? this.#findKnown(host);
    if (known === undefined && this.#known.length >= MAX_STORED_HOSTS) return undefined;
    const id = known ?? (await insertHost(tx, this.#run.deviceId, host));
    if (known === undefined) this.#known.push({ id, address: host.address, mac: host.mac });
    this.#seen.set(host.address, id);
    return id;
  }

  /** The same address and network card, else the same card: a host may get another address. */
  #findKnown({ address, mac }: Pick<DescribedHost, 'address' | 'mac'>): number | undefined {
    const taken = new Set(this.#seen.values());
    const free = this.#known.filter(({ id }) => !taken.has(id));
    const same = free.find((row) => row.address === address && (row.mac === mac || row.mac === null || mac === null));
    return (same ?? free.find((row) => mac !== null && row.mac === mac))?.id;
  }
}
