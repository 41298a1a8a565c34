/** The screens of the management. */
export const manageFrameText = {
  nav: '管理',
  users: '用户',
  products: '套餐',
  orders: '订单',
  keys: '渠道与兑换码',
  devices: '设备',
  siteEntries: '横幅与交流',
  audit: '审计日志',
  jobs: '任务',
  ledger: '账目核对',
};

export const managedListText = {
  none: '没有找到记录',
  pages: (title: string) => `${title}的分页`,
  everything: '全部',
};
