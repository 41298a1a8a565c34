import type { Db } from '../../db/driver.ts';
import { addAnnouncement } from '../announcements/index.ts';
import { createFirstAdmin, hashPassword } from '../users/index.ts';
import { claimFirstStart, findFirstAdminId, insertServer, recordFirstStart } from './installation-store.ts';

export type FirstStartInput = {
  sealingKey: Buffer;
  baseDomain: string;
  /** Called before the first write, so that the password can be saved until the operator has seen it. */
  chooseAdminPassword: () => Promise<string>;
};

/** Creates the account `admin`, the first region and a welcome announcement, once per database. True when it did. */
export async function doFirstStart(db: Db, input: FirstStartInput): Promise<boolean> {
  if ((await findFirstAdminId(db)) !== undefined) return false;
  const passwordHash = await hashPassword(await input.chooseAdminPassword());
  return await db.transaction().execute(async (tx) => {
    if (!(await claimFirstStart(tx))) return false;
    const adminId = await createFirstAdmin(tx, { sealingKey: input.sealingKey, passwordHash });
    await insertServer(tx, { name: '本地服务器', suffix: input.baseDomain });
    await addAnnouncement(tx, welcome);
    await recordFirstStart(tx, adminId);
    return true;
  });
}

const welcome = {
  title: '欢迎使用通途',
  url: '',
  display: true,
  startsAt: null,
  endsAt: null,
  detail: '在「我的设备」中添加一台设备，再为它新建域名映射，就能在任何浏览器里打开家里的服务。',
};
