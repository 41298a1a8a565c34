import { bytesText } from '../amounts.ts';
import { speedText, timeLeftText } from './downloads.ts';

type Facts = { bytes: number; sentBytes: number; bytesPerSecond: number };

/** Uploads of the file manager. */
export const uploadsText = {
  upload: '上传',
  files: '上传文件',
  folder: '上传文件夹',
  dropHere: '松开鼠标，上传到当前文件夹',
  unreadableFile: '浏览器读不到这个文件，可能已被改动或删除，请重新选择',
  unreadable: '浏览器读不到这些文件，请改用上传按钮',

  title: '上传',
  progress: (done: number, all: number) => (done === all ? `上传完成 ${all} 项` : `上传 ${done}/${all}`),
  found: (count: number) => `正在读取文件夹，已找到 ${count} 个文件`,
  waitsForLogin: (count: number) => `${count} 个文件在等待，登录目标后开始上传`,
  facts({ bytes, sentBytes, bytesPerSecond }: Facts): string {
    const left = timeLeftText(bytes - sentBytes, bytesPerSecond);
    return [
      `${bytesText(sentBytes)} / ${bytesText(bytes)}`,
      ...(bytesPerSecond > 0 ? [speedText(bytesPerSecond)] : []),
      ...(left === undefined ? [] : [`剩余 ${left}`]),
    ].join(' · ');
  },
  fold: '收起上传列表',
  unfold: '展开上传列表',
  close: '关闭上传列表',
  waiting: '等待中',
  paused: '已暂停',
  pause: (name: string) => `暂停 ${name}`,
  resume: (name: string) => `继续 ${name}`,
  retry: (name: string) => `重试 ${name}`,
  cancel: (name: string) => `取消 ${name}`,
  exists: '已有同名的文件或文件夹',
  existing: (count: number) => `${count} 个文件已有同名的`,
  replace: '替换',
  skip: '跳过',
  replaceAll: '全部替换',
  skipAll: '全部跳过',
  failed: (count: number) => `${count} 项失败`,
  retryAll: '重试失败的',
  pauseAll: '全部暂停',
  resumeAll: '全部继续',
  cancelAll: '全部取消',
  cancelAllTitle: '取消全部上传？',
  cancelAllText: (count: number) => `还没有传完的 ${count} 项会取消，已经传完的不受影响。`,
  keep: '继续上传',
  closeTitle: '关闭上传列表？',
  closeText(existing: number, failed: number): string {
    const parts = [
      ...(existing > 0 ? [`${existing} 个文件已有同名的，还没有选择替换还是跳过`] : []),
      ...(failed > 0 ? [`${failed} 项上传失败`] : []),
    ];
    return `${parts.join('；')}。关闭后，这些文件不会再上传。`;
  },
  discard: '关闭，不再上传',
  back: '返回',
  cut: '连接断开了，重试会从断开的地方继续',
  waitsForConnection: '连接断开了，恢复后自动继续上传',
};
