import type { LocalizedText } from '../messages/localized-text.ts';

/**
 * Why a file call failed: its HTTP status and its text. The code of the problem details is `files.` and the key. This
 * file imports no library, so the browser can load it.
 */
export const fileFailures = {
  'not-found': { status: 404, zh: '没有这个文件或文件夹，可能已被移动或删除', en: 'There is no such file or folder.' },
  forbidden: { status: 403, zh: '目标上的账号没有权限', en: 'The account on the target may not do this.' },
  exists: { status: 409, zh: '已有同名的文件或文件夹', en: 'There is already one of this name.' },
  'not-empty': { status: 409, zh: '文件夹不是空的', en: 'The folder is not empty.' },
  'not-a-folder': { status: 409, zh: '这不是文件夹', en: 'This is not a folder.' },
  'not-a-file': { status: 409, zh: '这不是可以读写的文件', en: 'This is not a file that can be read or written.' },
  'into-itself': { status: 409, zh: '不能移动或复制到自己里面', en: 'A folder cannot be put into itself.' },
  'other-volume': {
    status: 409,
    zh: '目标无法在两个存储空间之间直接移动',
    en: 'The target cannot move this to another volume.',
  },
  changed: {
    status: 409,
    zh: '打开之后，文件已被别人改过。请重新打开，以免覆盖别人的修改',
    en: 'The file has changed since it was opened. Open it again.',
  },
  'being-uploaded': {
    status: 409,
    zh: '同名的文件正在上传，请等它完成或先取消',
    en: 'A file of this name is being uploaded.',
  },
  'disk-full': {
    status: 507,
    zh: '目标的存储空间已满，没有写入完整的文件',
    en: 'The disk of the target is full. The file was not written.',
  },
  'partly-written': {
    status: 502,
    zh: '写入时出错，原文件可能已不完整。完整的新内容保存在旁边以 .part 结尾的文件里',
    en: 'Writing failed and the file may be damaged. All of the new content is in the file that ends with .part.',
  },
  'part-left': {
    status: 502,
    zh: '写入没有完成，目标上留下了以 .part 结尾的临时文件，请手动删除',
    en: 'Writing failed. A temporary file that ends with .part is left on the target.',
  },
  'too-many-entries': {
    status: 413,
    zh: '这个文件夹里的文件太多，无法显示。请用其他程序打开它，或把文件分到几个文件夹里',
    en: 'The folder has too many entries to be shown. Open it in another program, or move them to several folders.',
  },
  'too-large': { status: 413, zh: '文件太大，无法在这里编辑', en: 'The file is too large to be edited here.' },
  'name-not-possible': {
    status: 422,
    zh: '目标不接受这个名称：可能太长，或含有不允许的字符',
    en: 'The target does not take this name.',
  },
  'not-supported': { status: 501, zh: '目标不支持此操作', en: 'The target does not support this.' },
  'range-not-possible': { status: 416, zh: '请求的部分超出了文件的大小', en: 'The file does not have this range.' },
  'in-use': { status: 409, zh: '文件正被其他程序使用', en: 'Another program uses the file.' },
  failed: { status: 502, zh: '目标没有完成此操作', en: 'The target failed to do this.' },
} as const satisfies Record<string, LocalizedText & { status: number }>;

export type FileFailure = keyof typeof fileFailures;
