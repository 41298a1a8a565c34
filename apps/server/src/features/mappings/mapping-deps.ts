import type { Db } from '../../db/driver.ts';

export type MappingDeps = {
  db: Db;
  /** First labels of the console's own names below the suffix: `panel` of `panel.example.com`. */
  consolePrefixes: ReadonlySet<string>;
  /** Whether a name is the console's own or lies below a suffix of ours, so that nobody may claim it as a domain. */
  isOwnDomain: (domain: string) => boolean;
  /** The public ports that TCP and UDP mappings may have, both ends included. */
  publicPorts: { from: number; to: number };
};
