/** For tests of a running product: what none of its calls can bring about, or tell, without waiting for days. */
export * from './accounts.ts';
export * from './captchas.ts';
export { createOneOfEach } from './owned-things.ts';
export { openInstallation } from './open-installation.ts';
export * from './time.ts';
export type { Db } from '../../db/driver.ts';
