import { makeSuperuserIn } from '@tongtu/server';
import type { Logger } from 'pino';
import { databaseOf, type StackConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';

/** `npm start -- --make-superuser <name>`. Returns the account's name. Throws OperatorError or StartError. */
export async function makeSuperuserOf(config: StackConfig, username: string, log: Logger): Promise<string> {
  const made = await makeSuperuserIn(databaseOf(config), username, log);
  if (made === undefined) throw new OperatorError(`没有用户名为“${username}”的账号`);
  return made;
}
