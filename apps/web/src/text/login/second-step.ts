export const secondStepText = {
  title: '两步登录',
  hints: {
    totp: '请打开身份验证器应用，输入显示的 6 位动态口令。',
    passkey: '请用您设置的通行密钥（指纹、面容、屏幕锁或安全密钥）完成登录。',
    recovery_code: '请输入一个恢复码。每个恢复码只能使用一次。',
  },
  code: '动态口令',
  codeRequired: '请输入 6 位动态口令',
  recoveryCode: '恢复码',
  recoveryRequired: '请输入恢复码',
  submit: '验证',
  trustBrowser: '信任此浏览器，30 天内登录不再要求第二步',
  usePasskey: '使用通行密钥',
  others: { totp: '改用动态口令', passkey: '改用通行密钥', recovery_code: '改用恢复码' },
  passkeyUnsupported: '这个浏览器不支持通行密钥，请改用其他方式',
  expired: '验证已超时，请重新登录',
  back: '返回登录',
};
