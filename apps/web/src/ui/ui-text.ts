/** Texts of the shared components. */
export const uiText = {
  cancel: '取消',
  discardTitle: '放弃填写的内容？',
  discardText: '改动还没有保存。',
  discard: '放弃',
  keepEditing: '继续填写',
  copy: (label: string) => `复制${label}`,
  copied: '已复制',
  copyFailed: '复制失败，请手动选择文字复制',
  edit: (label: string) => `修改${label}`,
  mustNotBeEmpty: (label: string) => `${label}不能为空`,
  tooLong: (label: string, maxLength: number) => `${label}不能超过 ${maxLength} 个字`,
  loading: '正在加载',
  qrCode: '二维码',
  localLink:
    '您正通过本机地址打开控制台，别人打不开这个链接。请改用这台服务器的局域网 IP 或域名打开控制台，再生成一个。',
  noSuchDate: '没有这个日期或时间',
  dateUnreadable: (example: string) => `请按“${example}”的格式填写`,
  hours: '时',
  minutes: '分',
  dateExample: (example: string) => `例如 ${example}`,
};
