import 'dayjs/locale/zh-cn';
import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';

/** Must run before the first relative time is formatted. */
export function setUpTimes(): void {
  dayjs.extend(relativeTime);
  dayjs.locale('zh-cn');
}

/** "3 分钟前". When the server's clock is slightly ahead, the text still says the past. */
export function timeTexts(at: string) {
  const time = dayjs(at);
  return {
    dateTime: at,
    title: time.format('YYYY-MM-DD HH:mm:ss'),
    textAt: (wallClockMs: number) => (time.valueOf() > wallClockMs ? dayjs(wallClockMs) : time).from(wallClockMs),
  };
}

/** `2026-11-23` */
export function dayText(at: string): string {
  return dayjs(at).format('YYYY-MM-DD');
}
