/** Who somebody is at WeChat. `openId` is theirs within one app, `unionId` the same in all apps of its operator. */
export type WechatIdentity = { appId: string; openId: string; unionId: string | null; nickname: string };
