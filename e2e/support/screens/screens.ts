import { accountScreens } from './account-screens.ts';
import { alertScreens } from './alert-screens.ts';
import { buttonName, logInThroughForm } from '../browser/browser.ts';
import { communityScreens } from './community-screens.ts';
import { gateScreens } from './gate-screens.ts';
import { loginScreens } from './login-screens.ts';
import { manageScreens } from './manage-screens.ts';
import { statisticsScreens } from './statistics-screens.ts';
import {
  DEVICE_NAME,
  forgetReadAnnouncements,
  openAllowList,
  openDeviceMenu,
  openNewMapping,
  showManyDevices,
  showOnlyShared,
  type Screen,
  visit,
  visitMapping,
} from './screen-steps.ts';

/** Every screen and dialog of the console, and the relay's pages, each with data. */
export const screens: Screen[] = [
  {
    name: 'login',
    differsBySize: true,
    isAnonymous: true,
    open: async (page, at) => await visit(page, at, '#/login', '登录控制台'),
  },
  {
    name: 'login-failed',
    isAnonymous: true,
    allowedErrors: /401/,
    async open(page, at) {
      await visit(page, at, '#/login', '登录控制台');
      await logInThroughForm(page, 'not the password');
      await page.getByText('账号或密码不正确').waitFor();
    },
  },
  ...loginScreens,
  {
    name: 'gate',
    isAnonymous: true,
    allowedErrors: /403/,
    async open(page, at) {
      // An address that the console takes is redirected at once, without a page.
      await visitMapping(page, at, 'nas', '请先通过身份验证', `/?${'x'.repeat(4096)}`);
    },
  },
  {
    name: 'no-mapping',
    isAnonymous: true,
    allowedErrors: /404/,
    open: async (page, at) => await visitMapping(page, at, 'none', '没有这个地址'),
  },
  {
    name: 'target-refused',
    isAnonymous: true,
    allowedErrors: /50[234]/,
    open: async (page, at) => await visitMapping(page, at, 'camera', '目标'),
  },
  {
    name: 'no-page',
    isAnonymous: true,
    allowedErrors: /404/,
    async open(page, at) {
      await page.goto(`${at.consoleUrl}/no-such-page`);
      await page.getByText('没有找到这个页面').waitFor();
    },
  },
  { name: 'welcome', isAnonymous: true, open: async (page, at) => await visitMapping(page, at, 'welcome', '通途') },
  { name: 'devices', differsBySize: true, open: async (page, at) => await visit(page, at, '#/devices', DEVICE_NAME) },
  {
    name: 'announcement-dialog',
    ownData: 'unread announcements',
    async open(page, at) {
      await forgetReadAnnouncements(page);
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('dialog', { name: '公告' }).waitFor();
    },
  },
  {
    name: 'announcements',
    differsBySize: true,
    open: async (page, at) => await visit(page, at, '#/announcements', '欢迎使用通途'),
  },
  {
    name: 'announcements-manage',
    differsBySize: true,
    async open(page, at) {
      await visit(page, at, '#/announcements', '欢迎使用通途');
      await page.getByRole('main').getByText('管理', { exact: true }).click();
      await page.getByText('显示中').waitFor();
    },
  },
  {
    name: 'announcement-editor',
    async open(page, at) {
      await visit(page, at, '#/announcements', '欢迎使用通途');
      await page.getByRole('main').getByText('管理', { exact: true }).click();
      await page.getByRole('button', { name: '编辑' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('【欢迎使用通途】').waitFor();
      await dialog.getByLabel('开始时间').fill('2026-11-30 20:15');
      await dialog.getByLabel('结束时间').fill('2026-12-31 08:00');
      await dialog.getByLabel('结束时间').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'announcement-calendar',
    async open(page, at) {
      await visit(page, at, '#/announcements', '欢迎使用通途');
      await page.getByRole('main').getByText('管理', { exact: true }).click();
      await page.getByRole('button', { name: '新建公告' }).click();
      await page.getByRole('dialog').getByLabel('结束时间').click();
      await page.getByRole('button', { name: '下个月' }).waitFor();
    },
  },
  {
    name: 'add-device',
    async open(page, at) {
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: '添加设备' }).click();
      await page.getByText('要添加的是什么设备').waitFor();
    },
  },
  {
    name: 'add-device-nas',
    async open(page, at) {
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: '添加设备' }).click();
      await page.getByRole('button', { name: '群晖、威联通' }).click();
      await page.getByRole('img', { name: /群晖的任务计划/ }).waitFor();
      await page.getByText('正在等待您的设备').waitFor();
    },
  },
  {
    name: 'add-mapping',
    open: async (page, at) => void (await openNewMapping(page, at)),
  },
  {
    name: 'add-port',
    async open(page, at) {
      const dialog = await openNewMapping(page, at);
      await dialog.getByText('端口 TCP/UDP').click();
      await dialog.getByRole('button', { name: 'SSH' }).click();
      await dialog.getByText('高级选项').click();
      await dialog.getByText('PROXY 协议 v2').waitFor();
    },
  },
  {
    name: 'add-domain',
    async open(page, at) {
      const dialog = await openNewMapping(page, at);
      await dialog.getByRole('textbox', { name: '主机' }).fill('https://192.168.1.9:8443');
      await dialog.getByText('自有域名').click();
      await dialog.getByRole('textbox', { name: '自有域名' }).fill('nas.example.com');
      await dialog.getByText('高级选项').click();
      await dialog.getByText('只在每天的固定时段开放').click();
      await dialog.getByRole('textbox', { name: '结束时间' }).waitFor();
      await dialog.getByText('端到端加密').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'mapping-refused',
    allowedErrors: /4(09|22)/,
    async open(page, at) {
      const dialog = await openNewMapping(page, at);
      await dialog.getByRole('textbox', { name: '主机' }).fill('8.8.8.8');
      await dialog.getByRole('textbox', { name: '域名前缀' }).fill('public');
      await dialog.getByRole('button', { name: buttonName('添加') }).click();
      await dialog.getByText('目标地址必须是设备所在局域网内的地址').waitFor();
    },
  },
  {
    name: 'edit-hours',
    async open(page, at) {
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: /^修改 udp:/ }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: '结束时间' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'own-domain',
    async open(page, at) {
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByText('等待解析').waitFor();
      await page.getByRole('button', { name: /^解析记录 / }).click();
      await page.getByText('服务器还没有公网域名').waitFor();
    },
  },
  {
    name: 'allow-network',
    async open(page, at) {
      await visit(page, at, '#/devices', DEVICE_NAME);
      const allowed = page.getByText(/^当前网络已允许至/);
      const allow = page.getByRole('button', { name: `允许当前网络访问（48 小时） ${at.sshUrl}` });
      await allowed.or(allow).waitFor();
      // The browser's network may be another one than that of the API client: IPv6 for IPv4.
      if (await allow.isVisible()) await allow.click();
      await allowed.waitFor();
    },
  },
  {
    name: 'allow-list',
    async open(page, at) {
      const dialog = await openAllowList(page, at);
      await dialog.getByRole('button', { name: /添加当前 IP \S/ }).click();
    },
  },
  {
    name: 'allow-list-refused',
    async open(page, at) {
      const dialog = await openAllowList(page, at);
      await dialog.getByRole('textbox').fill('203.0.113.7\n300.1.1.1\n0.0.0.0/0');
      await dialog.getByRole('button', { name: buttonName('保存') }).click();
      await dialog.getByText('第 2 行').waitFor();
    },
  },
  {
    name: 'test-port',
    async open(page, at) {
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: `检测 ${at.sshUrl}` }).click();
      await page.getByText('这一步没有通过').waitFor();
    },
  },
  {
    name: 'test-mapping',
    async open(page, at) {
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: '检测 camera.localhost' }).click();
      await page.getByText('这一步没有通过').waitFor();
    },
  },
  {
    name: 'delete-device',
    async open(page, at) {
      await openDeviceMenu(page, at, '删除设备');
      await page.getByRole('dialog', { name: '删除设备' }).waitFor();
    },
  },
  {
    name: 'devices-none-found',
    differsBySize: true,
    open: async (page, at) => {
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('textbox', { name: /搜索/ }).fill('没有这样的设备');
      await page.getByText('没有符合条件的设备').waitFor();
    },
  },
  {
    name: 'devices-found',
    differsBySize: true,
    async open(page, at) {
      await visit(page, at, `#/devices?q=${encodeURIComponent('群晖管理')}`, DEVICE_NAME);
      await page.getByText(/另有 \d+ 条域名映射不符合搜索/).waitFor();
    },
  },
  {
    name: 'devices-list',
    differsBySize: true,
    ownData: 'many devices',
    async open(page, at) {
      await showManyDevices(page);
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: DEVICE_NAME, exact: true }).click();
      await page.getByRole('button', { name: '添加域名映射' }).waitFor();
    },
  },
  {
    name: 'upgrade-agent',
    ownData: 'many devices',
    async open(page, at) {
      await showManyDevices(page);
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page
        .getByRole('button', { name: /^可升级到/ })
        .first()
        .click();
      await page.getByRole('dialog').getByText('install.sh').waitFor();
    },
  },
  {
    name: 'launcher',
    differsBySize: true,
    open: async (page, at) => await visit(page, at, '#/devices?view=launcher', '群晖管理页'),
  },
  {
    name: 'launcher-shared',
    ownData: 'shared devices',
    async open(page, at) {
      await showOnlyShared(page, at);
      await visit(page, at, '#/devices', '启动台');
      await page.getByRole('heading', { name: '他人共享给我的' }).waitFor();
    },
  },
  {
    name: 'shared-with-me',
    differsBySize: true,
    ownData: 'shared devices',
    async open(page, at) {
      await showOnlyShared(page, at);
      await visit(page, at, '#/devices?view=manage', '他人共享给我的');
      await page.getByRole('listitem', { name: /^a{63}/ }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'user-info',
    differsBySize: true,
    open: async (page, at) => await visit(page, at, '#/user/info', '修改密码'),
  },
  ...accountScreens,
  ...alertScreens,
  ...manageScreens,
  ...communityScreens,
  ...statisticsScreens,
  {
    name: 'check-no-such',
    async open(page, at) {
      const url = `http://none.localhost:${at.httpPort}/`;
      await visit(page, at, `#/check?url=${encodeURIComponent(url)}`, '没有这个地址');
    },
  },
  {
    name: 'check-foreign',
    allowedErrors: /422/,
    open: async (page, at) => await visit(page, at, '#/check?url=https%3A%2F%2Fevil.example', '不能前往这个网址'),
  },
  {
    name: 'errorport-unknown',
    open: async (page, at) => await visit(page, at, '#/errorport?invalidDomain=none.localhost', '没有这个地址'),
  },
  {
    name: 'errorport-online',
    open: async (page, at) => await visit(page, at, '#/errorport?invalidDomain=nas.localhost', '设备现在在线'),
  },
  ...gateScreens,
];
