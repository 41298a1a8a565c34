/** 玩家交流, and the banners of the devices screen. */
export const communityText = {
  title: '玩家交流',
  groups: '群与链接',
  failed: '群与链接加载失败',
  none: '还没有交流群或链接。管理员添加后会显示在这里。',
  noneForStaff: '还没有群或链接',
  noneForStaffHint: '在“管理 → 横幅与交流”里添加后，所有用户都会在这里看到。',
  toManage: '去添加',
  networks: '我的公网 IP',
  networksHint: '您的设备所在的网络，以及从同一网络来访问您域名映射的访客。只有您自己能看到。',
  networksFailed: '公网 IP 加载失败',
  noNetworks: '设备第一次上线后，这里会显示它的公网 IP。',
  devices: '设备',
  visitors: '访客',
  noVisitors: '还没有访客从这个网络来访',
  unknownVisitor: '未登录的访客',
  visited: (host: string, at: string) => `${at} 进入 ${host}`,
  online: '在线',
  offline: '离线',
};

export const bannersText = {
  title: '横幅',
  dismissLabel: (title: string) => `不再显示 ${title}`,
};
