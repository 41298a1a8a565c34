export const paletteText = {
  title: '命令面板',
  open: '搜索和命令',
  openWithKey: (key: string) => `搜索和命令（${key}）`,
  placeholder: '搜索设备、域名、备注或命令',
  results: '结果',
  kinds: { screen: '前往', device: '设备', mapping: '打开', action: '操作', statistics: '统计', visits: '日志' },
  found: (count: number) => (count === 0 ? '没有找到，换个词试试' : `${count} 个结果`),
  newTab: '在新标签页打开',
  actions: {
    addDevice: '添加设备',
    shortcuts: '查看键盘快捷键',
    launcher: '启动台',
  },
  hint: '↑ ↓ 选择，Enter 打开，Esc 关闭',
};

export const shortcutsText = {
  title: '键盘快捷键',
  keys: {
    palette: '打开命令面板',
    search: '搜索设备',
    help: '查看键盘快捷键',
    add: '添加设备',
    devices: '前往我的设备',
    launcher: '前往启动台',
    records: '前往验证记录',
    user: '前往个人资料',
    range: '批量管理时，选中一段设备',
  },
  thenPress: '再按',
  click: '点选',
  singleKeys: '启用单键快捷键',
  singleKeysHint: '关闭后，只有命令面板的快捷键有效。使用语音输入或容易误按时可以关闭。',
};
