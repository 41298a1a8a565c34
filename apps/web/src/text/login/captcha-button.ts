/** How the captcha of a login ended. */
export const captchaButtonText = {
  solved: '验证通过',
  unsolved: '未完成验证，请点击重试',
  failed: '验证没有加载成功，请点击重试',
};
