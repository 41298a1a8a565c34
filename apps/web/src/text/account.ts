/** The words of proving again who one is. */
export const confirmText = {
  title: '确认是您本人',
  intro: '这是敏感操作。确认一次后，10 分钟内不用再次确认。',
  confirm: '确认',
  loadFailed: '暂时无法确认身份',
  otherWays: '换一种方式',
  method: {
    totp: '动态口令',
    passkey: '通行密钥',
    recovery_code: '恢复码',
    password: '登录密码',
    sms: '短信验证码',
  },
  totpHint: '打开身份验证器应用，输入当前显示的 6 位数字。',
  recoveryHint: '输入一个还没有用过的恢复码，每个只能用一次。',
  smsHint: '验证码将发送到您绑定的手机号。',
  passkeyHint: '使用指纹、面容、设备密码或安全密钥确认。',
  usePasskey: '使用通行密钥',
  codeRequired: '请输入 6 位数字验证码',
  recoveryRequired: '请输入恢复码',
  passwordRequired: '请输入登录密码',
  noWay: '您的账号没有可用的确认方式，请重新登录后再操作。重新登录后的 10 分钟内不需要再次确认。',
  logInAgain: '重新登录',
};

export const passkeyText = {
  notDone: '没有完成通行密钥验证，请重试',
  known: '这把通行密钥已经添加过了',
  unsupported: '这个浏览器或网址不能使用通行密钥，请换用 https 网址和较新的浏览器',
};

export const codeText = {
  code: '验证码',
  send: '获取验证码',
  resendIn: (seconds: number) => `${seconds} 秒后可重发`,
  sentFor: (minutes: number) => `验证码已发送，${minutes} 分钟内有效`,
};
