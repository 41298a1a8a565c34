/** Texts of announcements that all users see. */
export const announcementsText = {
  /** Specification §2. */
  title: '公告',
  gotIt: '知道了',
  unread: '未读',
  line: (title: string) => `【${title}】`,
};
