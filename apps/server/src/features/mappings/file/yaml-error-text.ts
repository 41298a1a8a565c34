import type { LocalizedText } from '@tongtu/contract';
import type { YAMLError } from 'yaml';

const texts: Partial<Record<YAMLError['code'], string>> = {
  BAD_DQ_ESCAPE: '双引号里的反斜杠转义不正确',
  BAD_INDENT: '缩进不正确',
  BAD_SCALAR_START: '这样开头的值须加引号',
  BLOCK_AS_IMPLICIT_KEY: '冒号或缩进的位置不正确',
  BLOCK_IN_FLOW: '括号没有闭合，或括号里的缩进不正确',
  DUPLICATE_KEY: '同一个字段写了两次',
  MISSING_CHAR: '缺少引号、括号、逗号、冒号或空格，或缩进不一致',
  MULTILINE_IMPLICIT_KEY: '字段名不能跨行，可能缺少冒号',
  MULTIPLE_DOCS: '一个文件里只能有一份内容，不能用 --- 分成几份',
  TAB_AS_INDENT: '缩进只能用空格，不能用制表符',
  TAG_RESOLVE_FAILED: '不支持标签（!）',
  UNEXPECTED_TOKEN: '有多余的符号',
};

/** Why a file is not YAML. The library knows only English. */
export function yamlErrorText({ code, message }: Pick<YAMLError, 'code' | 'message'>): LocalizedText {
  const zh = texts[code];
  return {
    zh: zh === undefined ? '不是有效的 YAML' : `不是有效的 YAML：${zh}`,
    en: `This is not valid YAML: ${message}`,
  };
}
