import type { Db } from '../db/driver.ts';

class Crash extends Error {
  override readonly name = 'Crash';
}

/** A database whose transactions end before they are committed, while `isCrashing` says so: as if the process were killed. */
export function crashingDb(db: Db, isCrashing: () => boolean): Db {
  const lost = {
    setIsolationLevel: () => lost,
    execute: async (run: (tx: Db) => Promise<unknown>) =>
      await db.transaction().execute(async (tx) => {
        await run(tx);
        throw new Crash();
      }),
  };
  return new Proxy(db, {
    get: (target, key) => {
      if (key === 'transaction' && isCrashing()) return () => lost;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
