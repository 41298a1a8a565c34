/** A moment as people in China read it. */
export function chineseTime(atMs: number): string {
  return `${new Date(atMs).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false })}（北京时间）`;
}
