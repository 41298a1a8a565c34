import type { Download } from '@tongtu/contract';
import { bytesText } from '../amounts.ts';
import { quoted } from '../devices/names.ts';
import { shownName } from './files.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Nobody waits longer. */
const longestWaitDays = 100;

export function speedText(bytesPerSecond: number): string {
  return `${bytesText(bytesPerSecond)}/s`;
}

/** How long it still takes; undefined when nobody can say. */
export function timeLeftText(bytesLeft: number, bytesPerSecond: number): string | undefined {
  if (bytesLeft <= 0 || bytesPerSecond <= 0) return undefined;
  const seconds = Math.ceil(bytesLeft / bytesPerSecond);
  if (seconds < minute) return `${seconds} 秒`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} 分 ${seconds % minute} 秒`;
  if (seconds < day) return `${Math.floor(seconds / hour)} 小时 ${Math.floor((seconds % hour) / minute)} 分`;
  if (seconds < longestWaitDays * day)
    return `${Math.floor(seconds / day)} 天 ${Math.floor((seconds % day) / hour)} 小时`;
  return undefined;
}

/** A name of aria2's, or what stands for it until aria2 knows it. */
export function downloadName({ name, is_metadata: isMetadata }: Pick<Download, 'name' | 'is_metadata'>): string {
  if (name === '') return isMetadata ? '磁力链接' : '尚未取得名称';
  return shownName(name);
}

/** The page of downloads (aria2). */
export const downloadsText = {
  secret: 'RPC 密钥',
  secretRefused: 'RPC 密钥不正确，请重新输入。',
  toolbar: '下载操作',
  list: '下载列表',
  loading: '正在读取下载列表…',
  groups: { all: '全部', running: '下载中', waiting: '等待中', stopped: '已停止' },
  groupsLabel: '按状态筛选',
  filter: '按名称筛选',
  empty: '还没有下载',
  emptyHint: '粘贴链接或选择种子文件，由设备所在网络里的 aria2 下载。',
  emptyGroup: { all: '', running: '没有正在下载的内容', waiting: '没有等待中的下载', stopped: '没有已停止的下载' },
  noMatch: '没有名称符合的下载',
  clearFilter: '清除筛选',
  leftOut: (count: number) => `另有 ${count} 项没有显示`,
  cut: '与服务器的连接断开了，正在重新连接…',
  targetFailed: (detail: string) => `暂时读不到 aria2 的状态，正在重试：${detail}`,
  speeds: (down: number, up: number) => `下载 ${speedText(down)}，上传 ${speedText(up)}`,

  states: {
    active: '正在下载',
    seeding: '正在做种',
    metadata: '正在获取种子信息',
    waiting: '排队中',
    paused: '已暂停',
    complete: '已完成',
    error: '下载失败',
  },
  unknownError: '原因不明，aria2 的说明：',
  amount: (done: number, total: number) => (total === 0 ? bytesText(done) : `${bytesText(done)} / ${bytesText(total)}`),
  left: (text: string) => `剩余 ${text}`,
  connections: (count: number) => `${count} 个连接`,
  seeders: (count: number) => `${count} 个做种者`,
  uploaded: (bytes: number) => `已上传 ${bytesText(bytes)}`,
  progressOf: (name: string) => `${name} 的进度`,

  pause: '暂停',
  resume: '继续',
  retry: '重试',
  remove: '移除',
  forget: '清除记录',
  details: '详情',
  actionOf: (action: string, name: string) => `${action} ${name}`,
  removeTitle: (name: string) => `移除${quoted(name)}？`,
  removeText: '下载会停止。已经下载的部分留在设备上，不会删除。',
  pauseAll: '全部暂停',
  resumeAll: '全部继续',
  forgetAll: '清除已停止',
  forgetAllTitle: '清除所有已停止的记录？',
  forgetAllText: '只清除这里的记录，已经下载的文件不受影响。',

  add: '添加下载',
  addOk: '开始下载',
  ways: { links: '链接', torrent: '种子文件' },
  way: '添加方式',
  links: '下载链接',
  linksHint: '一行一个，支持 HTTP、FTP、SFTP 和磁力链接。',
  linksRequired: '请输入下载链接',
  linkWrong: (line: number) => `第 ${line} 行不是可以下载的链接`,
  linksTooMany: (most: number) => `一次最多添加 ${most} 个链接`,
  torrent: '种子文件',
  chooseTorrent: '选择种子文件',
  torrentRequired: '请选择种子文件',
  torrentTooLarge: '种子文件不能超过 10 MB',
  folder: '文件夹',
  folderPlaceholder: '例如 电影',
  folderHint: (base: string) => `保存在 ${base} 里的这个文件夹，没有时自动新建；留空则直接保存在那里。`,
  folderWrong: '请填写文件夹的名称，多层用 / 分开，不能以 / 开头或包含 ..',
  added: (count: number) => `已添加 ${count} 个下载`,
  notAdded: (count: number) => `有 ${count} 个链接没有添加`,

  limit: '下载限速',
  uploadLimit: '上传限速',
  limitHint: '留空则不限速。',
  limitWrong: '请输入大于 0 的数字，或留空',
  limitUnit: (field: string) => `${field}的单位`,
  limits: '限速',
  limitsTitle: '全部下载的限速',
  limitsFailed: '限速读取失败',
  save: '保存',
  saved: '已保存',

  savedTo: '保存到',
  source: '来源',
  infoHash: '特征值',
  files: (count: number) => `文件（${count}）`,
  filesCut: (shown: number) => `文件太多，只显示前 ${shown} 个，不能在这里选择。`,
  chooseFiles: '保存选择',
  chooseOne: '至少选择一个文件',
  peers: (count: number) => `连接的用户（${count}）`,
  servers: (count: number) => `服务器（${count}）`,
  address: '地址',
  progress: '进度',
  down: '下载',
  up: '上传',
  notListed: '这个下载已经不在列表里了',
};
