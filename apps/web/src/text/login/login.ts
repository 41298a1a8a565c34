export const loginText = {
  card: '登录',
  title: '登录控制台',
  slogan: '在任何浏览器里，打开家里的路由器和 NAS',
  tabs: '登录方式',
  sessionLost: '登录已失效，请重新登录',
  leaving: '已登录，正在前往…',
  firstTime: '首次使用？管理员账号是 admin，初始密码见服务器启动时的终端。',
  points: [
    { title: '任何浏览器直接打开', text: '访问的一方不用安装任何软件' },
    { title: '默认需要身份验证', text: '陌生人看不到您家里的服务' },
    { title: '不需要公网 IP', text: '设备主动连出，路由器不用改设置' },
  ],

  submit: '登录',
  phoneSubmit: '登录 / 注册',
  phoneHints: {
    open: '没有账号的手机号会自动注册。',
    invitation: '还没有账号？请向管理员或邀请您的人要一个邀请链接。',
    closed: '还没有账号？这里已关闭注册，请联系管理员。',
  },

  resetHint: '用账号绑定的手机号验证身份。重设后，所有浏览器都会退出登录。',
  newPassword: '新密码',
  resetSubmit: '重设密码',
  resetDone: '密码已重设，请用新密码登录',
  back: '返回登录',
};

/** A phone number and the code that is sent to it. */
export const phoneCodeText = {
  phone: '手机号',
  phonePlaceholder: '手机号',
  phoneRequired: '请输入手机号',
  phoneInvalid: '手机号不正确，请检查后重试',
  region: '国家或地区代码',
  code: '短信验证码',
  codePlaceholder: '6 位数字',
  codeRequired: '请输入 6 位数字验证码',
  notReceived: '没有收到？请检查号码，或稍后重新获取。',
};
