import type { Db } from '../../db/driver.ts';
import type { DeviceChange } from '../live/index.ts';
import type { MappingRow } from './mapping-store.ts';

export type MappingDeps = {
  db: Db;
  /** First labels of the service's own names below the suffix: `panel` of `panel.example.com`. */
  ownPrefixes: ReadonlySet<string>;
  /** The service's own names, which nobody may claim as a domain. */
  ownDomains: readonly string[];
  /** The public ports that TCP and UDP mappings may have, both ends included. */
  publicPorts: { from: number; to: number };
  /** Makes the text that proves a domain to be a certain user's. */
  domainProofKey: Buffer;
  /** The access password as the database keeps it; takes its time, and a turn of the account's. Throws request.too-many. */
  hashPassword: (userId: number, password: string) => Promise<string>;
  /** Ends, in the transaction of the change, what was proven by the mapping's password. */
  endPasswordProofs: (tx: Db, mappingId: number) => Promise<void>;
  /** The TXT records of a name; none when it has none or nobody answers. */
  resolveTxt: (name: string) => Promise<string[]>;
  /** Looks now whether the mapping's custom domain leads here. */
  checkDomain: (mappingId: number) => Promise<void>;
  /** Resolves when the relays that this process can reach have been sent a change that is committed. */
  whenSentToRelays: (change: DeviceChange) => Promise<void>;
};

export type SavedMapping = {
  row: MappingRow;
  /** What its relays must be sent; undefined where nothing was changed. */
  change: DeviceChange | undefined;
};
