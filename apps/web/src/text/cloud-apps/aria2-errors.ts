/** The exit statuses of aria2 (aria2c(1), EXIT STATUS), which are also the errors of its downloads. 1 is any other. */
const errors: Readonly<Record<number, string>> = {
  2: '连接超时',
  3: '找不到这个文件（404）',
  4: '服务器多次回答找不到文件',
  5: '下载速度太慢，已中止',
  6: '网络出错',
  7: '下载尚未完成就被中止',
  8: '服务器不支持断点续传，无法接着下载',
  9: '磁盘空间不足',
  10: '分块大小与上次不同，无法接着下载',
  11: '同一个文件已在下载',
  12: '同一个种子已在下载',
  13: '文件已存在',
  14: '重命名文件失败',
  15: '无法打开已有的文件',
  16: '无法创建文件',
  17: '读写文件出错',
  18: '无法创建文件夹',
  19: '域名解析失败',
  20: '无法读取 Metalink 文件',
  21: 'FTP 命令失败',
  22: '服务器的回应不正确',
  23: '跳转次数太多',
  24: '服务器要求登录，或用户名、密码不正确',
  25: '无法读取种子文件',
  26: '种子文件已损坏',
  27: '磁力链接不正确',
  28: '下载的设置不正确',
  29: '服务器暂时过载或正在维护',
  30: 'RPC 请求无法解析',
  32: '校验失败，文件与原来的不一致',
};

/** Why a download failed; undefined when only the message of aria2 says it. */
export function aria2ErrorText(code: number | null): string | undefined {
  return code === null ? undefined : errors[code];
}
