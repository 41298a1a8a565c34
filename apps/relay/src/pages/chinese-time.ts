/** A time in the Chinese format. */
export function chineseTime(atMs: number): string {
  return `${new Date(atMs).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false })}（北京时间）`;
}
