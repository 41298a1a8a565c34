import type { TreeSummary } from '@tongtu/contract';
import { bytesText } from '../amounts.ts';

/** The dialogs of the file manager that change something on the target. */
export const changesText = {
  notInEncoding: '这个名称里有 Big5 写不出的字，请换一个名称，或由所有者在编辑里改文件名编码。',
  name: '名称',
  nameFormat: '请输入名称，不能含有 / ，也不能是 . 或 ..',
  create: '新建',
  rename: '重命名',
  renameTitle: (name: string) => `重命名 ${name}`,
  renamed: '已重命名',

  pickerTitle: { move: (count: number) => `移动 ${count} 项到`, copy: (count: number) => `复制 ${count} 项到` },
  here: { move: '移动到这里', copy: '复制到这里' },
  folders: '选择文件夹',
  noFolders: '这里没有文件夹',
  intoItself: '不能移动或复制到自己里面。',
  running: {
    move: '正在移动…内容多时要等一会儿，请不要关闭页面。',
    copy: '正在复制…内容多时要等一会儿，请不要关闭页面。',
  },
  done: { move: '已移动', copy: '已复制' },
  existsTitle: '已有同名的文件或文件夹',
  existsText: (names: readonly string[]) =>
    `${names.slice(0, 5).join('、')}${names.length > 5 ? ` 等 ${names.length} 项` : ''} 在目标文件夹里已经存在。` +
    '替换后，原来的文件无法恢复；同名的文件夹不会被替换。',
  replace: '替换',
  skip: '跳过',

  remove: '删除',
  removeTitle: (count: number) => `删除这 ${count} 项？`,
  counting: '正在统计里面的内容…',
  summary: ({ files, folders, others, bytes, unreadable, is_complete: isComplete }: TreeSummary) => {
    const parts = [
      folders > 0 && `${folders} 个文件夹`,
      files > 0 && `${files} 个文件（${bytesText(bytes)}）`,
      others > 0 && `${others} 个链接或特殊文件`,
    ].filter((part) => part !== false);
    const sum = `${isComplete ? '共' : '至少'} ${parts.join('、')}`;
    return unreadable > 0 ? `${sum}；另有 ${unreadable} 个文件夹无权查看` : sum;
  },
  notCounted: (reason: string) => `没能统计里面的内容：${reason}`,
  removeNote: '文件夹会连同里面的全部内容一起删除，不进回收站，无法恢复。链接只删除链接本身。',
  removing: '正在删除…内容多时要等一会儿，请不要关闭页面。',
  removed: (count: number) => `已删除 ${count} 项`,
  andMore: (count: number) => `还有 ${count} 项`,

  failedTitle: '有一部分没有完成',
  failedText: (done: number, failed: number) => `完成了 ${done} 项，${failed} 项没有成功：`,
};
