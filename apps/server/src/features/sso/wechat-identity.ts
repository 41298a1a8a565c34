/** A WeChat user. `openId` identifies them within one app, `unionId` in all apps of its operator. */
export type WechatIdentity = { appId: string; openId: string; unionId: string | null; nickname: string };
