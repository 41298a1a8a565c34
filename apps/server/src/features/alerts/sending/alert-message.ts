import { withoutLinks } from '@tongtu/base';
import { offlineReasonTexts } from '@tongtu/contract';
import type { AlertDetails, EndingPlan, OnlineDevice, OfflineDevice } from '../alert-details.ts';
import { beijingTime, durationBetween } from '../chinese-time.ts';

/** An alert in words, for every kind of channel. */
export type AlertMessage = {
  details: AlertDetails;
  title: string;
  facts: string[];
  /** What the user should do. */
  advice: string | undefined;
  /** Opens the console where it shows this. */
  url: string;
};

type Content = Pick<AlertMessage, 'title' | 'facts'> & { advice?: string; path: string };

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
  const { path, title, facts, advice } = contentOf(shown(details), ended);
  return { details, title, facts, advice, url: `${consoleUrl}/#${path}` };
}

/** The whole message in one line. */
export function oneLine({ title, facts }: Pick<AlertMessage, 'title' | 'facts'>): string {
  const isLabelled = facts[0]?.includes('：') === true; // avoids two colons in one sentence
  return [title, facts.join('，')].join(isLabelled ? '，' : '：');
}

/** Describes an alert in one line for the list of deliveries, as of the time when it was recorded. */
export function describeAlert(details: AlertDetails): string {
  return oneLine(contentOf(shown(details), new Set()));
}

/** Shown for details that this version of the server cannot parse. */
export const unreadableDetails = '内容无法显示';

/** The message without its title, line by line. */
export function linesOf({ facts, advice, url }: AlertMessage): string[] {
  return [...facts, ...(advice === undefined ? [] : [advice]), url];
}

/** The text for chat robots. It always contains the product's name, for robots that require a keyword. */
export function plainText(message: AlertMessage): string {
  return [`【通途】${message.title}`, ...linesOf(message)].join('\n');
}

/**
 * The details as they may stand in a message: names and texts come from other people, from devices and from payment
 * providers, and a channel must not make links of them.
 */
function shown(details: AlertDetails): AlertDetails {
  switch (details.event) {
    case 'device_offline':
      return { ...details, devices: details.devices.map(withShownName) };
    case 'device_online':
      return { ...details, devices: details.devices.map(withShownName) };
    case 'new_login':
      return details; // its texts are our own
    case 'passkey_added':
      return withShownName(details);
    case 'access_request': {
      const { account, message } = details; // the domain is the owner's
      return { ...details, account: withoutLinks(account), message: withoutLinks(message) };
    }
    case 'plan_expiring':
    case 'plan_expired': {
      const plans = details.plans.map(withShownName);
      return {
        ...details,
        plans: plans.map((plan) => ({ ...plan, device: plan.device && withShownName(plan.device) })),
      };
    }
    case 'ledger_unbalanced':
      return { ...details, problems: details.problems.map(withoutLinks) };
    case 'test':
      return { ...details, channel: withoutLinks(details.channel) };
  }
}

function withShownName<Named extends { name: string }>(named: Named): Named {
  return { ...named, name: withoutLinks(named.name) };
}

function contentOf(details: AlertDetails, ended: EndedAbsences): Content {
  switch (details.event) {
    case 'device_offline':
      return offlineContent(details.devices, ended);
    case 'device_online':
      return onlineContent(details.devices);
    case 'new_login':
      return {
        title: '账号有新的登录',
        facts: whereAndWhen(details),
        advice: '如果不是您本人，请马上修改密码，并在“个人资料”的登录的浏览器里退出这处登录。',
        path: '/user/info',
      };
    case 'passkey_added':
      return {
        title: '账号新增了通行密钥',
        facts: [`名称：${details.name}`, ...whereAndWhen(details)],
        advice: '用它可以登录您的账号。如果不是您本人添加的，请马上在“个人资料”里删除它，再修改密码。',
        path: '/user/info',
      };
    case 'access_request':
      return {
        title: `${details.account} 申请访问 ${details.domain}`,
        facts: [...(details.message === '' ? [] : [`留言：${details.message}`]), `时间：${beijingTime(details.at)}`],
        advice: '请在控制台的设备页同意或拒绝。如果不认识对方，不用处理，申请会自动失效。',
        path: '/devices',
      };
    case 'plan_expiring':
      return planContent(details.plans, { verb: '即将到期', advice: '请及时续费。到期后访客打不开，设置都会保留。' });
    case 'plan_expired':
      return planContent(details.plans, { verb: '已到期', advice: '访客现在打不开。设置都保留着，续费后马上恢复。' });
    case 'ledger_unbalanced':
      return {
        title: '账目对不上',
        facts: [...details.problems.map(shorten), ...moreProblems(details), `时间：${beijingTime(details.at)}`],
        advice: '请在控制台的“管理 → 账目核对”中查看。在弄清原因之前，请不要手工退款。',
        path: '/manage/ledger',
      };
    case 'test':
      return {
        title: '测试提醒',
        facts: [`“${details.channel}”可以收到提醒`, beijingTime(details.at)],
        path: '/user/info',
      };
  }
}

const MAX_PROBLEM_LENGTH = 100;

function shorten(text: string): string {
  return text.length > MAX_PROBLEM_LENGTH ? `${text.slice(0, MAX_PROBLEM_LENGTH - 1)}…` : text;
}

function moreProblems({ problems, problemCount }: { problems: string[]; problemCount: number }): string[] {
  return problemCount > problems.length ? [`共 ${problemCount} 处`] : [];
}

function whereAndWhen({
  browser,
  place,
  ip,
  at,
}: {
  browser: string;
  place: string;
  ip: string;
  at: string;
}): string[] {
  return [`浏览器：${browser}`, `地点：${place || '未知'}（${ip}）`, `时间：${beijingTime(at)}`];
}

function offlineContent(devices: OfflineDevice[], ended: EndedAbsences): Content {
  const hasReturned = (device: OfflineDevice): boolean => ended.has(absenceKey(device));
  const [only, ...others] = devices;
  if (only !== undefined && others.length === 0) {
    const end = hasReturned(only) ? ['现已恢复在线'] : [];
    const why = only.reason === null ? [] : [offlineReasonTexts[only.reason]];
    return {
      title: hasReturned(only) ? `${only.name} 曾经离线` : `${only.name} 已离线`,
      facts: [`离线时间：${beijingTime(only.since)}`, ...why, ...end],
      path: `${pathOf(only)}&diagnose=1`,
    };
  }
  const names = listNames(devices, (device) => (hasReturned(device) ? `${device.name}（现已恢复在线）` : device.name));
  const first = devices.map(({ since }) => since).toSorted()[0] ?? '';
  const reasons = new Set(devices.map(({ reason }) => reason));
  const [reason] = reasons;
  const why = reasons.size === 1 && reason ? [offlineReasonTexts[reason]] : [];
  const hasEnded = devices.every(hasReturned);
  return {
    title: `${devices.length} 台设备${hasEnded ? '曾经' : '已'}离线`,
    facts: [names, `离线时间：${beijingTime(first)}`, ...why],
    path: '/devices',
  };
}

function onlineContent(devices: OnlineDevice[]): Content {
  const [only, ...others] = devices;
  if (only !== undefined && others.length === 0) {
    return {
      title: `${only.name} 已恢复在线`,
      facts: [`恢复时间：${beijingTime(only.back)}`, `离线了 ${durationBetween(only.since, only.back)}`],
      path: pathOf(only),
    };
  }
  const names = listNames(devices, ({ name, since, back }) => `${name}（离线了 ${durationBetween(since, back)}）`);
  return { title: `${devices.length} 台设备已恢复在线`, facts: [names], path: '/devices' };
}

function planContent(plans: EndingPlan[], { verb, advice }: { verb: string; advice: string }): Content {
  const [only, ...others] = plans;
  if (only !== undefined && others.length === 0) {
    const { device, name, ends } = only;
    const times = [`套餐：${name}`, `到期时间：${beijingTime(ends)}`];
    const path = device === null ? '/plans' : `/plans?router=${device.id}`;
    return {
      title: device === null ? `套餐 ${name} ${verb}` : `${device.name} 的套餐${verb}`,
      facts: times,
      advice,
      path,
    };
  }
  const describe = ({ device, name }: EndingPlan): string => device?.name ?? `${name}（未绑定设备）`;
  const first = plans.map(({ ends }) => ends).toSorted()[0] ?? '';
  const facts = [listNames(plans, describe, '个'), `最早到期：${beijingTime(first)}`];
  return { title: `${plans.length} 个套餐${verb}`, facts, advice, path: '/plans' };
}

function listNames<Item>(items: Item[], describe: (item: Item) => string, unit = '台'): string {
  const names = items.slice(0, MAX_NAMES).map(describe).join('、');
  return items.length > MAX_NAMES ? `${names} 等 ${items.length} ${unit}` : names;
}

/** The console's device list filters by this query, and a uid matches exactly one device. */
function pathOf({ uid }: { uid: string }): string {
  return `/devices?domain=${uid}`;
}
