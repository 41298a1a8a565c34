import type { Db } from '../../db/driver.ts';
import type { DeviceChange } from '../live/index.ts';
import type { MappingRow } from './mapping-store.ts';

export type MappingDeps = {
  db: Db;
  /** Prefixes of the installation's own names below the suffix: `panel` of `panel.example.com`. */
  ownPrefixes: ReadonlySet<string>;
  /** The installation's own names, which nobody may claim as a custom domain. */
  ownDomains: readonly string[];
  /** Range of the public ports of TCP and UDP mappings, both ends included. */
  publicPorts: { from: number; to: number };
  /** Key for the TXT record that proves a domain claim. */
  domainProofKey: Buffer;
  /** Hashes an access password. Slow; an account's hashes run one after another. Throws request.too-many. */
  hashPassword: (userId: number, password: string) => Promise<string>;
  /** Revokes, in the transaction of the change, the proofs of the mapping's password. */
  endPasswordProofs: (tx: Db, mappingId: number) => Promise<void>;
  /** The TXT records of a name. Empty if there are none or DNS does not answer. */
  resolveTxt: (name: string) => Promise<string[]>;
  /** Checks at once whether the mapping's custom domain leads here. */
  checkDomain: (mappingId: number) => Promise<void>;
  /** Resolves when a committed change was sent to the relays that are connected to this process. */
  whenSentToRelays: (change: DeviceChange) => Promise<void>;
};

export type SavedMapping = {
  row: MappingRow;
  /** The change that relays must be sent. Undefined if nothing changed. */
  change: DeviceChange | undefined;
};
