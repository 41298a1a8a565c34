/** The dialog of upgrading the agent. */
export const upgradeAgentText = {
  title: (device: string) => `升级客户端 · ${device}`,
  versions: (running: string, available: string) => `这台设备上的客户端是 ${running}，可以升级到 ${available}。`,
  install:
    '请用 SSH 登录这台设备，以当初安装时的身份（通常是 root）再运行一次安装命令。它会换上新的客户端并重新启动，设备和域名映射都不变。',
  folder: '当初指定过安装目录的，请在命令末尾加上',
  folderOption: '-s -- --dir 安装目录',
  manual: '请在这台设备存放客户端的文件夹里运行这一行，下载新的客户端；然后停止正在运行的客户端，再照原来的方式启动。',
  command: '升级命令',
  button: '升级',
  started:
    '设备已收到升级，下载、校验后会重新启动；线路很慢时要等几分钟。新版本没有上线、失去响应或几分钟内就结束时，会自动退回原来的版本。',
  rolledBack: (version: string) =>
    `新版本没有成功上线，或还没有下载完，设备现在是 ${version}。可以再试一次，或按下面的办法在设备上升级。`,
  several: (count: number) => `一共有 ${count} 台在线设备可以升级`,
  severalHint: '可以先升级一部分，确认没有问题后再升级全部。每次选到的都是同一批设备。',
  share: '升级多少',
  shares: { 10: '10%', 50: '50%', 100: '全部' },
  severalButton: '升级多台',
  severalDone: ({ started, failed, left }: { started: number; failed: number; left: number }) =>
    [
      `${started} 台正在升级`,
      ...(failed > 0 ? [`${failed} 台没有成功`] : []),
      ...(left > 0 ? [`${left} 台这次没有升级（离线，或不在这一批）`] : []),
    ].join('，'),
  severalUnchanged: (devices: readonly string[]) =>
    `${devices.join('、')} 重新上线后仍是原来的版本：新版本没有成功上线，或不在这一批。`,
  byHand: '也可以在设备上升级',
  waiting: '升级后设备会短暂离线，随后以新版本重新上线。',
  done: (version: string) => `已升级，现在是 ${version}`,
};
