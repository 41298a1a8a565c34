import type { SecondFactorNeed } from '@tongtu/contract';

/** The console's screens as paths of the hash router. */
export const paths = {
  home: '/',
  login: '/login',
  join: '/join',
  check: '/check',
  errorport: '/errorport',
  devices: '/devices',
  statistics: '/statistics',
  records: '/record',
  plans: '/plans',
  orders: '/orders',
  invite: '/invite',
  productKeys: '/productos',
  community: '/playersare',
  userInfo: '/user/info',
  announcements: '/announcements',
  users: '/manage/users',
  managedProducts: '/manage/products',
  managedOrders: '/manage/orders',
  managedDevices: '/manage/devices',
  siteEntries: '/manage/site',
  audit: '/manage/audit',
  jobs: '/manage/jobs',
  ledger: '/manage/ledger',
} as const;

/** What the screens of the management have in common. */
export const managePath = '/manage/';

/** The page of a cloud app. */
export function appPath(id: number): string {
  return `/apps/${id}`;
}

/** The page that wakes the host of a cloud app. */
export function wakePath(id: number): string {
  return `/wake/${id}`;
}

/** Where an app opens: one that is only woken has no sessions. */
export function openPath({ id, kind }: { id: number; kind: string }): string {
  return kind === 'wol' ? wakePath(id) : appPath(id);
}

/** The hosts and services in the LAN of a device. */
export function lanPath(deviceId: number): string {
  return `${paths.devices}/${deviceId}/lan`;
}

/** The visitor log of a mapping. */
export function visitsPath(mappingId: number): string {
  return `/visits/${mappingId}`;
}

/** The statistics of a device or a mapping. */
export function statisticsPath({ router, mapping }: { router?: number; mapping?: number }): string {
  return withQuery(paths.statistics, { device: router?.toString(), mapping: mapping?.toString() });
}

/** What is for sale, for a device. */
export function plansPath(deviceId: number): string {
  return withQuery(paths.plans, { router: String(deviceId) });
}

/** Whether the console has a screen at this path. */
export function isScreenPath(pathname: string): boolean {
  const isOwn = Object.values<string>(paths).includes(pathname);
  return isOwn || /^\/(?:(?:apps|wake|visits)\/\d+|devices\/\d+\/lan)$/.test(pathname);
}

/** The navigation state with which the login screen says that the session was lost. */
export const sessionLost = 'session-lost';

/** The navigation state with which the login screen starts at 忘记密码. */
export const forgottenPassword = 'forgotten-password';

/** A place's entry in the browser's history, in the form of the console's router. */
export function screenState(state: unknown) {
  return { usr: state };
}

/** What a screen was opened with, if the current entry has it. */
export function readScreenState(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'usr' in entry ? entry.usr : undefined;
}

/** The navigation state with which the login screen starts at the second step. */
export function secondStepState(need: SecondFactorNeed) {
  return { secondStep: need };
}

/** The login screen's second step, if it was opened for one. */
export function readSecondStep(state: unknown): SecondFactorNeed | undefined {
  const isState = typeof state === 'object' && state !== null && 'secondStep' in state;
  return isState ? (state.secondStep as SecondFactorNeed) : undefined; // only secondStepState writes it
}

/** A path with its query; undefined values are omitted. */
export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}
