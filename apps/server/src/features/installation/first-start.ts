import { randomInt } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { insertAnnouncement } from '../announcements/index.ts';
import { createAccountToken, hashPassword, insertUser } from '../users/index.ts';
import { claimFirstStart, findFirstAdminId, insertServer, recordFirstStart } from './installation-store.ts';

export type FirstStartInput = { sealingKey: Buffer; baseDomain: string; adminPassword: string | undefined };

/** Present on the first start only; the password only when it was made here, to be shown once. */
export type FirstStart = { adminPassword: string | undefined };

// Without letters that look alike: it is read from a terminal and typed into a page.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Makes the account `admin`, the first region and a welcome, all or nothing, once per database. */
export async function doFirstStart(db: Db, input: FirstStartInput): Promise<FirstStart | undefined> {
  if ((await findFirstAdminId(db)) !== undefined) return undefined;
  const made = input.adminPassword === undefined ? makePassword() : undefined;
  const passwordHash = await hashPassword(input.adminPassword ?? made ?? '');
  return await db.transaction().execute(async (tx) => {
    if (!(await claimFirstStart(tx))) return undefined;
    const adminId = await insertUser(tx, { username: 'admin', passwordHash, isStaff: true, isSuperuser: true });
    await createAccountToken(tx, input.sealingKey, adminId);
    await insertServer(tx, { name: '本地服务器', suffix: input.baseDomain });
    await insertAnnouncement(tx, welcome);
    await recordFirstStart(tx, adminId);
    return { adminPassword: made };
  });
}

const welcome = {
  title: '欢迎使用通途',
  detail:
    '在「我的设备」中添加一台设备，再为它新建域名映射，就能在任何浏览器里打开家里的服务。示例页面由本机自带的设备提供，可以随时删除。',
};

function makePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
