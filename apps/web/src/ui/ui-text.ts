/** The words of the shared parts. */
export const uiText = {
  cancel: '取消',
  retry: '重试',
  copy: (label: string) => `复制${label}`,
  copied: '已复制',
  copyFailed: '复制失败，请手动选择文字复制',
  reveal: (label: string) => `显示${label}`,
  hide: (label: string) => `隐藏${label}`,
  edit: (label: string) => `修改${label}`,
  mustNotBeEmpty: (label: string) => `${label}不能为空`,
  tooLong: (label: string, maxLength: number) => `${label}不能超过 ${maxLength} 个字`,
  loading: '正在加载',
  qrCode: '二维码',
};
