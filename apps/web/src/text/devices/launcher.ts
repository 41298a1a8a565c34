/** The start page of everything that one can open. */
export const launcherText = {
  title: '启动台',
  manage: '管理设备',
  searchPlaceholder: '搜索名称、地址、设备',
  searchKey: '按 / 键搜索',
  sharedBy: '共享者',
  pinned: '置顶',
  pin: (address: string) => `置顶 ${address}`,
  unpin: (address: string) => `取消置顶 ${address}`,
  notOpen: '不在开放时间',
  noMatch: '没有符合条件的地址',
  emptyTitle: '还没有可以打开的地址',
  emptyText: '为设备添加网页类的域名映射后，就能在这里一点即开。',
  noDeviceText: '添加设备和域名映射后，就能在这里一点即开；别人共享给您的地址也会出现在这里。',
};
