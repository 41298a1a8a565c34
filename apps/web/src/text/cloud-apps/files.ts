import { withoutHiddenCharacters } from '@tongtu/contract/hidden-characters';
import { bytesText } from '../amounts.ts';
import { visibleName } from '../devices/names.ts';

/** A name of the target's, in which no sign hides and none turns the text around it. */
export function shownName(name: string): string {
  return visibleName(withoutHiddenCharacters(name), '（看不见的名称）');
}

/** The file manager. */
export const filesText = {
  place: '当前文件夹',
  toolbar: '文件操作',
  up: '上一层',
  root: '根目录',
  refresh: '刷新',
  filter: '按名称筛选',
  entries: '文件列表',
  columns: { name: '名称', size: '大小', modified: '修改时间' },
  actions: '操作',
  selectAll: '全选',
  select: (name: string) => `选择 ${name}`,
  more: (name: string) => `${name} 更多操作`,
  link: '链接',
  marked: (name: string, encoding: string) => `${name}（${encoding}）`,
  unusable: '名称无法使用',
  unusableHint: '这个名称含有无法识别的字符，不能在这里打开或修改，请在目标上改名。',
  loading: '正在加载…',
  loadFailed: '文件夹打不开',
  toFirst: '回到起始文件夹',
  empty: '这个文件夹是空的',
  emptyHint: '把文件或文件夹拖到这里，就会上传。',
  noMatch: '没有名称符合的文件',
  clearFilter: '清除筛选',
  count: (count: number) => `${count} 项`,
  countOf: (shown: number, all: number) => `${shown} 项（共 ${all} 项）`,
  selected: (count: number, bytes: number) => `已选 ${count} 项${bytes > 0 ? `，${bytesText(bytes)}` : ''}`,
  unselect: '取消选择',
  free: (bytes: number) => `剩余 ${bytesText(bytes)}`,
  notReadable: '这不是可以打开的文件',

  open: '打开',
  download: '下载',
  rename: '重命名',
  move: '移动到…',
  copy: '复制到…',
  remove: '删除',
  newFolder: '新建文件夹',
  tooManyForZip: '选中的太多，无法打包成一个链接。请少选一些，或到上一层下载整个文件夹。',
};
