const methodNames = { wechat: '微信扫码', phone: '手机验证码', password: '密码' };

export const loginText = {
  title: '登录控制台',
  slogan: '在任何浏览器里，打开家里的路由器和 NAS',
  methods: methodNames,
  otherMethods: (methods: readonly (keyof typeof methodNames)[]) =>
    `其他登录方式（${methods.map((method) => methodNames[method]).join('、')}）`,
  account: '账号',
  accountPlaceholder: '用户名、手机号或邮箱',
  password: '密码',
  passwordPlaceholder: '密码',
  accountRequired: '请输入账号',
  passwordRequired: '请输入密码',
  sessionLost: '登录已失效，请重新登录',
  submit: '登录',
  capsLock: '大写锁定已打开',
  leaving: '已登录，正在前往…',
  loading: '正在加载登录方式',
  firstTime: '首次使用？管理员账号是 admin，一次性密码显示在服务器启动时的终端里。',
  forgotten: '忘记密码？',
  points: [
    { title: '任何浏览器直接打开', text: '访问的一方不用安装任何软件' },
    { title: '默认需要身份验证', text: '陌生人看不到您家里的服务' },
    { title: '不需要公网 IP', text: '设备主动连出，路由器不用改设置' },
  ],

  phone: '手机号',
  phonePlaceholder: '手机号',
  phoneRequired: '请输入手机号',
  phoneInvalid: '手机号不正确，请检查后重试',
  region: '国家或地区代码',
  code: '短信验证码',
  codePlaceholder: '6 位数字',
  codeRequired: '请输入 6 位数字验证码',
  notReceived: '没有收到？请检查号码，或稍后重新获取。',
  phoneSubmit: '登录 / 注册',
  phoneHints: {
    open: '没有账号的手机号会自动注册。',
    invitation: '还没有账号？请向管理员或邀请您的人要一个邀请链接。',
    closed: '还没有账号？这里已关闭注册，请联系管理员。',
  },

  agree: '我已阅读并同意',
  terms: '服务条款',
  mustAgree: '请先阅读并同意服务条款',

  resetHint: '用账号绑定的手机号验证身份。重设后，所有浏览器都会退出登录。',
  newPassword: '新密码',
  newPasswordHint: '至少 10 个字符，不要用连续的字母或数字。',
  resetSubmit: '重设密码',
  resetDone: '密码已重设，请用新密码登录',
  back: '返回登录',
};
