import type { Logger } from 'pino';
import type { Db, OpenDb } from '../../db/driver.ts';
import type { WechatApp } from './phone/wechat-app.ts';

export type SsoHostDeps = {
  db: Db;
  listen: OpenDb['listen'];
  log: Logger;
  /** 32 bytes, used for nothing else. */
  key: Buffer;
  /** The URL at which phones reach this host, without a trailing slash. Its domain must be registered at WeChat. */
  url: string;
  wechat: WechatApp;
  /** The place of an IP address, in Chinese; '' when unknown. */
  placeOf: (ip: string) => string;
};
