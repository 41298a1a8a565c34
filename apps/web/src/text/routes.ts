export const routeTitles = {
  check: '验证登录',
  login: '登录',
  join: '邀请',
  home: '首页',
  errorport: '访问出错',
  devices: '我的设备',
  records: '验证记录',
  userInfo: '个人资料',
  announcements: '公告',
  users: '用户管理',
  app: '远程应用',
  wake: '网络唤醒',
};
