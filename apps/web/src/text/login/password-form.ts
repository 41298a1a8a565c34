const methodNames = { wechat: '微信扫码', phone: '手机验证码', password: '密码' };

/** Texts of the login by password, apart from the others because the gate shows them, too. */
export const passwordFormText = {
  methods: methodNames,
  otherMethods: (methods: readonly (keyof typeof methodNames)[]) =>
    `其他登录方式（${methods.map((method) => methodNames[method]).join('、')}）`,
  account: '账号',
  accountPlaceholder: '用户名、手机号或邮箱',
  password: '密码',
  passwordPlaceholder: '密码',
  accountRequired: '请输入账号',
  passwordRequired: '请输入密码',
  submit: '登录',
  captchaNeeded: '请先完成人机验证',
  capsLock: '大写锁定已打开',
  forgotten: '忘记密码？',
};
