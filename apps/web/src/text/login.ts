export const loginText = {
  title: '登录控制台',
  methods: { wechat: '微信扫码', phone: '手机验证码', password: '密码' },
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
  usePasskey: '使用通行密钥',
  others: { totp: '改用动态口令', passkey: '改用通行密钥', recovery_code: '改用恢复码' },
  passkeyUnsupported: '这个浏览器不支持通行密钥，请改用其他方式',
  expired: '验证已超时，请重新登录',
  back: '返回登录',
};

export const termsText = {
  title: '服务条款',
  close: '我知道了',
  agree: '同意',
  paragraphs: [
    {
      title: '一、服务内容',
      text: '本服务让您从浏览器访问自己的设备。您的设备主动连接到本服务，访客的流量经由本服务转发给您的设备。',
    },
    {
      title: '二、您的责任',
      text: '您只能添加自己拥有或获准管理的设备，不得用本服务传播违法内容、攻击他人系统或绕过他人的访问限制。把地址设为公开，即表示您允许任何人访问。',
    },
    {
      title: '三、账号与安全',
      text: '请妥善保管密码、账号令牌和恢复码。发现账号被盗用时，请立即更换账号令牌并退出其他登录。',
    },
    {
      title: '四、个人信息',
      text: '我们保存您的账号资料、设备信息、登录记录和访问验证记录，仅用于提供和保护本服务，不会出售给他人。验证记录默认保留 90 天。您可以随时导出自己的数据，或删除账号。',
    },
    {
      title: '五、服务的限度',
      text: '我们会尽力保持服务可用，但网络和设备故障可能造成中断。请不要用本服务承载一旦中断就会造成人身或重大财产损失的用途。',
    },
    {
      title: '六、变更与终止',
      text: '条款变更会以公告通知。违反条款的账号可能被限制或停用。',
    },
  ],
};
