import type { LocalizedText } from '../messages/localized-text.ts';

/** Why a session of a cloud app did not begin, or has ended. This file imports no library, so the browser can load it. */
export const appFailures = {
  'device-offline': { zh: '设备不在线', en: 'The device is offline.' },
  'agent-outdated': { zh: '设备上的客户端版本过旧，请先升级', en: 'The agent on the device must be upgraded first.' },
  refused: { zh: '目标拒绝了连接，请检查地址、端口和服务是否已启动', en: 'The target refuses connections.' },
  'not-found': { zh: '设备所在的网络里找不到这个主机名', en: 'The host name is unknown in the network of the device.' },
  'timed-out': { zh: '目标没有回应，可能已关机，或地址不对', en: 'The target does not answer.' },
  'not-allowed': { zh: '目标不在设备所在的网络里', en: 'The target is not an address of a private network.' },
  busy: { zh: '同时打开的连接过多，请关闭一些后重试', en: 'Too many connections are open. Close some and try again.' },
  'over-budget': {
    zh: '打开的远程应用占用的内存已达上限（每个账号、每位设备所有者各有上限），请关闭一些页面，或打开较小的文件夹后重试',
    en: 'The open apps hold as much memory as an account, or the owner of the device, may use. Close some and try again.',
  },
  lost: { zh: '与目标的连接断开了', en: 'The connection to the target was lost.' },
  protocol: { zh: '目标的回应不符合所选的协议，请检查类型和端口', en: 'The target does not speak this protocol.' },
  // The page lists them, and says whether it helps to allow old ones.
  'no-common-algorithm': {
    zh: '目标和通途没有共同的加密算法',
    en: 'The target and the gateway have no algorithm in common.',
  },
  'vnc-encrypted': {
    zh: '这个 VNC 服务器只接受加密的登录（如 TLS），网页里的 VNC 不支持。请在它的设置里允许 VNC 密码登录，例如给 TigerVNC 加上 -SecurityTypes VncAuth',
    en: 'This VNC server accepts encrypted logins alone, which the page does not support. Allow VncAuth in its settings.',
  },
  'login-failed': { zh: '用户名或密码不正确，或目标不允许这种登录方式', en: 'The target refused the login.' },
  'key-unreadable': {
    zh: '无法读取私钥：格式不支持，或口令不正确',
    en: 'The private key, or its passphrase, is not valid.',
  },
  'host-key-changed': {
    zh: '目标的身份与上次不同，已停止连接。如果目标重装过系统或换过证书，请所有者在编辑里清除已保存的指纹',
    en: 'The identity of the target has changed, so the connection was stopped.',
  },
  'host-key-refused': { zh: '您没有信任目标的身份，已停止连接', en: 'You did not trust the identity of the target.' },
  idle: { zh: '长时间没有操作，会话已结束', en: 'The session ended because nothing happened in it.' },
  closed: { zh: '对方结束了会话', en: 'The target ended the session.' },
  'ended-by-user': { zh: '会话已被结束', en: 'The session was ended.' },
  'right-ended': { zh: '您的访问权限已失效', en: 'You may not open this app any more.' },
  'plan-ended': {
    zh: '设备没有有效的套餐，或套餐不包含这种远程应用',
    en: 'The device has no valid plan, or its plan does not include this kind of app.',
  },
  changed: { zh: '远程应用的设置已更改，请重新打开', en: 'The app has changed. Open it again.' },
  'taken-over': { zh: '会话已在另一个页面打开', en: 'The session was opened in another page.' },
  abandoned: { zh: '页面已关闭', en: 'The page was closed.' },
  'gateway-stopped': {
    zh: '服务正在重启，请稍后重新打开',
    en: 'The service is restarting. Open the app again shortly.',
  },
} as const satisfies Record<string, LocalizedText>;

export type AppFailure = keyof typeof appFailures;
