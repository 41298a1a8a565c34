/** For tests of a running product: changes and reads for which no call exists, such as time that passes. */
export * from './accounts.ts';
export * from './captchas.ts';
export { createOneOfEach } from './owned-objects.ts';
export { openInstallation } from './open-installation.ts';
export * from './time.ts';
export type { Db } from '../../db/driver.ts';
