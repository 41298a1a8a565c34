import { plainName } from '../devices/names.ts';

export const usersText = {
  title: '个人资料',
  sections: '本页内容',
  loadFailed: '暂时无法加载',
  account: '账号',
  username: '用户名',
  role: '身份',
  roles: { superuser: '超级管理员', staff: '管理员', promoter: '推广员', user: '普通用户' },
  renamed: '用户名已修改',
};

export const tokenText = {
  token: '账号令牌',
  hint: '在设备上安装客户端时使用。任何人拿到它都能把设备加到您的账号，请勿告诉他人。',
  previous: (at: string) => `更换前的账号令牌在 ${at} 之前仍可用来添加设备。`,
  endPrevious: '立即停用旧的账号令牌',
  endPreviousTitle: '立即停用旧的账号令牌？',
  endPreviousText: '之后不能再用旧的账号令牌添加设备，已经添加的设备不受影响。',
  endPreviousConfirm: '停用',
  previousEnded: '旧的账号令牌已停用',
  rotate: '更换',
  rotateLabel: '更换账号令牌',
  rotateTitle: '更换账号令牌？',
  rotateText: [
    '新的账号令牌立即可用，以后添加设备请用新的。',
    '旧的在 24 小时内仍可用来添加设备，之后失效。',
    '已经添加的设备不受影响，不会断开。',
  ],
  rotated: '账号令牌已更换，旧的 24 小时后失效',
};

export const signInMethodsText = {
  title: '登录方式',
  intro: '多留一种登录方式，丢了其中一种也能找回账号。',
  set: '已设置',
  notSet: '未设置',
  notBound: '未绑定',
  unbind: '解除绑定',
};

export const passwordText = {
  password: '密码',
  hint: '用用户名、手机号或邮箱加密码登录。',
  noneHint: '还没有密码。设置后可以用密码登录。',
  title: '修改密码',
  firstTitle: '设置密码',
  set: '设置',
  old: '原密码',
  new: '新密码',
  repeat: '再次输入新密码',
  oldRequired: '请输入原密码',
  sameAsOld: '新密码不能与原密码相同',
  repeatMismatch: '两次输入的新密码不一致',
  newHint: '至少 10 个字符，不要用连续的字母或数字。修改后，其他浏览器上的登录和它们打开的页面会立即失效。',
  changed: '密码已修改，其他浏览器上的登录已失效',
  firstSet: '密码已设置',
};

export const phoneText = {
  phone: '手机号',
  bound: (phone: string, at: string) => `${phone}，${at} 绑定`,
  hint: '用于短信验证码登录和找回密码。',
  unavailable: '当前服务没有开通短信，暂时不能绑定手机号。',
  bindTitle: '绑定手机号',
  replaceTitle: '更换手机号',
  newPhone: '新手机号',
  proof: '先确认是您本人',
  proofs: { code: '原手机号的验证码', password: '登录密码' },
  oldCode: '原手机号收到的验证码',
  password: '登录密码',
  passwordRequired: '请输入登录密码',
  bind: '绑定',
  replace: '更换',
  done: '手机号已绑定',
  replaced: '手机号已更换',
};

export const emailText = {
  email: '邮箱',
  hint: '用于登录和接收验证码。',
  unavailable: '当前服务没有开通邮件，暂时不能绑定邮箱。',
  bindTitle: '绑定邮箱',
  replaceTitle: '更换邮箱',
  address: '邮箱地址',
  invalid: '请输入正确的邮箱地址',
  code: '邮件验证码',
  bind: '绑定',
  replace: '更换',
  done: '邮箱已绑定',
};

export const wechatText = {
  wechat: '微信',
  bound: (nickname: string, at: string) => `${plainName(nickname)}，${at} 绑定`,
  anonymous: '微信用户',
  hint: '绑定后可以用微信扫码登录。',
  unavailable: '当前服务没有开通微信登录。',
  bindTitle: '绑定微信',
  bindHint: '用要绑定的微信扫描二维码，并在手机上确认。',
  done: '微信已绑定',
  unbindTitle: '解除微信绑定？',
  unbindText: '之后不能再用这个微信登录本账号。',
  unbound: '微信已解除绑定',
};
