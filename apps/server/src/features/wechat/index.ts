export { bindWechat, findUserByWechat, unbindWechat } from './bind-wechat.ts';
export { logInByWechat, type WechatLoginInput } from './log-in-by-wechat.ts';
export { findWechatBinding } from './wechat-account-store.ts';
