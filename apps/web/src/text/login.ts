export const loginText = {
  title: '登录控制台',
  account: '账号',
  accountPlaceholder: '用户名',
  password: '密码',
  passwordPlaceholder: '密码',
  accountRequired: '请输入账号',
  passwordRequired: '请输入密码',
  sessionLost: '登录已失效，请重新登录',
  submit: '登录',
  capsLock: '大写锁定已打开',
  leaving: '已登录，正在前往…',
  firstTime: '首次使用？管理员账号是 admin，一次性密码显示在服务器启动时的终端里。',
  points: [
    { title: '任何浏览器直接打开', text: '访问的一方不用安装任何软件' },
    { title: '默认需要身份验证', text: '陌生人看不到您家里的服务' },
    { title: '不需要公网 IP', text: '设备主动连出，路由器不用改设置' },
  ],
};
