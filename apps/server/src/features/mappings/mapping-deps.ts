import type { Db } from '../../db/driver.ts';

export type MappingDeps = {
  db: Db;
  /** First labels of the console's own names below the suffix: `panel` of `panel.example.com`. */
  consolePrefixes: ReadonlySet<string>;
};
