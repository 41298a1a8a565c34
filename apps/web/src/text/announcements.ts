export const announcementsText = {
  /** Specification §2. */
  title: '公告',
  gotIt: '知道了',
  none: '暂时没有公告',
  line: (title: string) => `【${title}】`,
};
