import { createHash, randomBytes } from 'node:crypto';
import type { ApiScope } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { TestApp, TestBrowser } from './open-test-app.ts';

/** Opens a program with an API token of these scopes. It sends no cookies and no CSRF header. */
export async function openProgram(
  { db, app }: { db: Db; app: Pick<TestApp, 'browser'> },
  userId: number,
  scopes: ApiScope[],
): Promise<Pick<TestBrowser, 'call'>> {
  const token = `tt_api_${randomBytes(32).toString('base64url')}`;
  const tokenHash = createHash('sha256').update(token).digest();
  await db.insertInto('apiToken').values({ userId, name: '脚本', hint: 'tt_api_', tokenHash, scopes }).execute();
  const own = {
    authorization: `Bearer ${token}`,
    origin: undefined,
    'sec-fetch-site': undefined,
    'x-csrftoken': undefined,
  };
  return {
    async call(method, url, body, headers = {}) {
      return await app.browser().call(method, url, body, { ...own, ...headers });
    },
  };
}
