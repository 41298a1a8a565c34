/** Texts of the gate that most visitors see. `check.ts` has the others, which are loaded when they are needed. */
export const gateText = {
  checking: '正在验证…',
  opening: '验证通过，正在打开…',
  logInToOpen: '登录后打开',
  loginScreen: '前往登录页面',
  home: '返回首页',
  urlNotAllowedTitle: '不能前往这个网址',
  failedTitle: '验证没有完成',
};
