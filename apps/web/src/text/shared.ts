import { startText } from './gate/start.ts';
import { plainText } from '../ui/plain/plain-text.ts';
import { uiText } from '../ui/ui-text.ts';

export const sharedText = {
  pageFailed: startText.notLoaded,
  pageOutdated: '控制台可能刚刚更新过，请刷新页面',
  disconnected: '网络连接已断开',
  disconnectedHint: '这个页面暂时打不开。网络恢复后会自动打开，不用刷新。',
  serverAway: startText.serverAway,
  serverAwayHint: startText.serverAwayHint,
  reload: startText.reload,
  retry: plainText.retry,
  home: '返回首页',
  cancel: uiText.cancel,
  save: '保存',
  tooLong: (maxLength: number) => `不能超过 ${maxLength} 个字`,
  close: '关闭',
  sessionChanged: {
    title: '已换成其他账号登录',
    lines: ['这个浏览器现在登录的是另一个账号，本页显示的还是之前账号的内容。', '为免误操作，请刷新页面后继续。'],
    reload: '刷新',
  },
};
