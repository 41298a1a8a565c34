import { offlineReasonTexts } from '@tongtu/contract';
import type { AlertDetails, DeviceBack, DeviceGone } from '../alert-details.ts';
import { beijingTime, durationBetween } from '../chinese-time.ts';

/** News in words, for any way of sending them. */
export type AlertMessage = {
  details: AlertDetails;
  title: string;
  facts: string[];
  /** What to do. */
  advice: string | undefined;
  /** Where the console shows it. */
  url: string;
};

type Words = Pick<AlertMessage, 'title' | 'facts'> & { advice?: string; path: string };

/** Absences that have ended by now, as `<device id> <since>`. */
export type EndedAbsences = ReadonlySet<string>;

const MAX_NAMES = 10;

export function absenceKey({ id, since }: { id: number; since: string }): string {
  return `${id} ${since}`;
}

export function writeMessage(
  consoleUrl: string,
  details: AlertDetails,
  ended: EndedAbsences = new Set(),
): AlertMessage {
  const { path, title, facts, advice } = wordsFor(details, ended);
  return { details, title, facts, advice, url: `${consoleUrl}/#${path}` };
}

/** The whole message in one line. */
export function oneLine({ title, facts }: Pick<AlertMessage, 'title' | 'facts'>): string {
  const isLabelled = facts[0]?.includes('：') === true; // two colons after another are none
  return [title, facts.join('，')].join(isLabelled ? '，' : '：');
}

/** News that are told no more, or not yet, in one line. */
export function describeAlert(details: AlertDetails): string {
  return oneLine(wordsFor(details, new Set()));
}

/** In the place of details that this version of the server cannot read. */
export const unreadableDetails = '内容无法显示';

/** The message without its title, a line each. */
export function linesOf({ facts, advice, url }: AlertMessage): string[] {
  return [...facts, ...(advice === undefined ? [] : [advice]), url];
}

/** As chat robots show it. The product's name is always there, for robots that want a keyword. */
export function plainText(message: AlertMessage): string {
  return [`【通途】${message.title}`, ...linesOf(message)].join('\n');
}

function wordsFor(details: AlertDetails, ended: EndedAbsences): Words {
  switch (details.event) {
    case 'device_offline':
      return goneWords(details.devices, ended);
    case 'device_online':
      return backWords(details.devices);
    case 'new_login':
      return {
        title: '账号有新的登录',
        facts: [
          `浏览器：${details.browser}`,
          `地点：${details.place || '未知'}（${details.ip}）`,
          `时间：${beijingTime(details.at)}`,
        ],
        advice: '如果不是您本人，请马上修改密码，并在“个人资料”的登录的浏览器里退出这处登录。',
        path: '/user/info',
      };
    case 'test':
      return {
        title: '测试提醒',
        facts: [`“${details.channel}”可以收到提醒`, beijingTime(details.at)],
        path: '/user/info',
      };
  }
}

function goneWords(devices: DeviceGone[], ended: EndedAbsences): Words {
  const isBack = (device: DeviceGone): boolean => ended.has(absenceKey(device));
  const [only, ...others] = devices;
  if (only !== undefined && others.length === 0) {
    const end = isBack(only) ? ['现已恢复在线'] : [];
    const why = only.reason === null ? [] : [offlineReasonTexts[only.reason]];
    return {
      title: isBack(only) ? `${only.name} 曾经离线` : `${only.name} 已离线`,
      facts: [`离线时间：${beijingTime(only.since)}`, ...why, ...end],
      path: pathOf(only),
    };
  }
  const names = listed(devices, (device) => (isBack(device) ? `${device.name}（现已恢复在线）` : device.name));
  const first = devices.map(({ since }) => since).toSorted()[0] ?? '';
  const all = new Set(devices.map(({ reason }) => reason));
  const [reason] = all;
  const why = all.size === 1 && reason ? [offlineReasonTexts[reason]] : [];
  const hasEnded = devices.every(isBack);
  return {
    title: `${devices.length} 台设备${hasEnded ? '曾经' : '已'}离线`,
    facts: [names, `离线时间：${beijingTime(first)}`, ...why],
    path: '/devices',
  };
}

function backWords(devices: DeviceBack[]): Words {
  const [only, ...others] = devices;
  if (only !== undefined && others.length === 0) {
    return {
      title: `${only.name} 已恢复在线`,
      facts: [`恢复时间：${beijingTime(only.back)}`, `离线了 ${durationBetween(only.since, only.back)}`],
      path: pathOf(only),
    };
  }
  const names = listed(devices, ({ name, since, back }) => `${name}（离线了 ${durationBetween(since, back)}）`);
  return { title: `${devices.length} 台设备已恢复在线`, facts: [names], path: '/devices' };
}

function listed<Device>(devices: Device[], describe: (device: Device) => string): string {
  const names = devices.slice(0, MAX_NAMES).map(describe).join('、');
  return devices.length > MAX_NAMES ? `${names} 等 ${devices.length} 台` : names;
}

/** The page searches for what stands there, and a uid finds its device. */
function pathOf({ uid }: { uid: string }): string {
  return `/devices?domain=${uid}`;
}
