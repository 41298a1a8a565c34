/** The login by a passkey alone. */
export const passkeyLoginText = {
  or: '或',
  logIn: '用通行密钥登录',
};

/** Why the browser gave no passkey's answer. */
export const passkeyText = {
  notDone: '没有完成通行密钥验证，请重试',
  known: '这把通行密钥已经添加过了',
  unsupported: '这个浏览器或网址不能使用通行密钥，请换用 https 网址和较新的浏览器',
};
