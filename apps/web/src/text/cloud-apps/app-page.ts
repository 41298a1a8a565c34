import { plainName } from '../devices/names.ts';

/** The page of a cloud app that is open. */
export const appPageText = {
  opening: '正在打开…',
  openFailed: '打不开',
  confirmNeeded: '打开它之前需要确认您的身份。',
  retry: '重试',
  reconnect: '重新连接',
  wakeAndOpen: '唤醒并打开',
  reconnecting: '正在重新连接…',
  ended: '会话已结束',
  disconnected: '与服务器的连接断开了，请检查网络后重新连接',
  browserTooOld:
    '浏览器版本太旧，打不开 Windows 远程桌面，请用 Chrome 97、Edge 97、Firefox 115、Safari 16.4 或更新的版本',
  toDevices: '返回设备列表',
  onDevice: (device: string) => `经 ${plainName(device)}`,
  fullScreen: '全屏',
  leaveFullScreen: '退出全屏',
  titleOf: (app: string) => plainName(app),
};
