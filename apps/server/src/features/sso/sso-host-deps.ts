import type { Logger } from 'pino';
import type { Db, OpenDb } from '../../db/driver.ts';
import type { WechatApp } from './phone/wechat-app.ts';

export type SsoHostDeps = {
  db: Db;
  listen: OpenDb['listen'];
  log: Logger;
  /** 32 bytes, for this alone. */
  key: Buffer;
  /** Where phones reach this host, without a slash at the end; WeChat must know its name. */
  url: string;
  wechat: WechatApp;
  /** Where an address is, in Chinese; '' when unknown. */
  placeOf: (ip: string) => string;
};
