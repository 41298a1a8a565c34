export const captchaDialogText = {
  title: '人机验证',
  loading: '正在加载验证图片',
  checking: '正在验证…',
  wrong: '验证未通过，已换一张新的图片',
  expired: '图片已过期，已换一张新的',
  retry: '重新加载',
  byEmail: '看不清图片？用邮箱验证码代替',
  byImage: '返回图片验证',
  emailHint: '填写任意一个您能收信的邮箱即可，不必与账号绑定。',
  email: '邮箱',
  emailRequired: '请输入正确的邮箱地址',
  code: '邮箱验证码',
  codeRequired: '请输入 6 位数字验证码',
  sent: '验证码已发送，一般几分钟内送达；没有收到时请看看垃圾邮件。',
  submit: '确定',
};

/** Why another captcha is shown. */
export const ticketSpentText = '人机验证已过期，请再试一次';
