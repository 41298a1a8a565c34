/**
 * Why a device is offline, as far as the relay knows, in words for users who do not know what a relay is. This file
 * imports no library, so the browser can load it.
 */
export const offlineReasonTexts = {
  connection_lost: '设备与服务器之间的网络断开了',
  agent_stopped: '设备上的客户端停止了运行，或设备正常关机',
  no_heartbeat: '设备一段时间没有回应，可能断电、断网或休眠',
  replaced: '同一设备的另一个连接代替了它',
  relay_lost: '中继失去了联系',
  relay_stopped: '中继正在重启或维护',
  account_disabled: '账号或设备曾被停用',
};
