import type { ConnectionStep } from '@tongtu/contract';
import { quoted } from './names.ts';

export const devicesText = {
  title: '我的设备',
  summary: { devices: '设备', online: '在线', mappings: '域名映射' },
  unit: { device: '台', mapping: '条' },
  addDevice: '添加设备',
  searchPlaceholder: '搜索名称、域名、设备 ID、备注',
  clearSearch: '清空搜索',
  filter: { all: '全部', online: '在线', offline: '离线' },
  filterLabel: '按状态筛选',
  sortLabel: '排序',
  sort: { state: '在线优先', name: '按名称', newest: '最近添加' },
  layout: { cards: '卡片', list: '列表' },
  layoutLabel: '显示方式',
  mappingCount: (count: number) => `${count} 条映射`,
  leftOut: (count: number) => `另有 ${count} 条域名映射不符合搜索`,
  showAll: '全部显示',
  showMore: (left: number) => `显示更多（还有 ${left} 台）`,
  noMatch: '没有符合条件的设备',
  clearFilter: '清除条件',
  emptyTitle: '还没有设备',
  emptyText: '在家里的路由器、NAS 或电脑上运行一行命令，它就会出现在这里，不需要公网 IP，也不用改路由器设置。',
  failed: '设备列表加载失败',
  cameOnline: '上线',
  wentOffline: '离线',
  someRelays: (connected: number, running: number) => `只连上了 ${running} 个中继中的 ${connected} 个`,
  someRelaysHint:
    '到达其他中继的访客会看到“设备不在线”。请先升级设备上的客户端；如果仍然如此，请管理员检查防火墙和端口转发是否放行了每个中继的隧道端口。',
  uid: '设备 ID',
  publicIp: '公网 IP',
  version: '客户端',
  platform: '系统',
  server: '服务器',
  unknown: '—',
  name: '设备名称',
  renamed: '设备名称已修改',
  more: '更多操作',
  pin: '置顶',
  unpin: '取消置顶',
  pinned: '已置顶',
  disable: '停用设备',
  enable: '启用设备',
  enabledAgain: '已启用，正在等待设备重新连接',
  disableTitle: (name: string) => `停用${quoted(name)}？`,
  disableText: '停用后，它的全部域名映射立即无法访问；设备上的客户端不受影响，随时可以重新启用。',
  deviceDisabled: '设备已停用，它的域名映射都无法访问。',
  remove: '删除设备',
  mappings: '域名映射',
  addMapping: '添加域名映射',
  noMappings: '还没有域名映射。添加一条，就能在任何浏览器里打开这台设备所在局域网的服务。',
  neverConnectedHint: '这台设备还没有连接过服务器，请检查客户端是否已启动。',
};

export const serversText = {
  title: '服务器状态',
  up: '正常',
  busy: '繁忙',
  down: '无法连接',
  maintenance: '维护中',
  load: (percent: number) => `负载 ${percent}%`,
};

export const addDeviceText = {
  title: '添加设备',
  tabs: { install: 'Linux / NAS 一键安装', manual: '手动运行' },
  installHint: '用 SSH 登录设备，以 root 身份粘贴这一行。需要 Node.js 20 或更高版本。',
  notRoot: '不是 root 用户时，请先运行',
  notRootElse: '切换到 root，再粘贴这一行。不用 root 也能运行，但不会装成系统服务，关闭终端后客户端就会停止。',
  manualHint:
    '在任何装有 Node.js 20 或更高版本的电脑上（Windows、macOS、Linux），在命令行里依次运行这两行，运行期间不要关闭窗口：',
  command: '命令',
  copy: '复制',
  proof: '命令里是一次性的绑定凭证，不是您的账号令牌：复制后请在 5 分钟内运行，只能添加一台设备。',
  several: '要用同一条命令添加多台设备，请把其中 tb_ 开头的凭证换成“个人资料”里的账号令牌。',
  loopback:
    '您正通过本机地址打开控制台，其他设备连不到这个地址。请改用这台服务器的局域网 IP 或域名打开控制台，再复制命令。',
  waiting: '正在等待您的设备…',
  waitingHint: '运行命令后，设备通常在几秒内出现。以前添加过的设备会直接恢复在线，不会重复出现。',
  arrived: (name: string) => `${quoted(name)}已上线`,
  arrivedHint: '接下来添加一条域名映射，就可以在浏览器里打开局域网里的服务。',
  next: '添加域名映射',
  failed: '安装命令加载失败',
};

export const upgradeAgentText = {
  short: '可升级',
  available: (version: string) => `可升级到 ${version}`,
  title: (device: string) => `升级客户端 · ${device}`,
  versions: (running: string, available: string) => `这台设备上的客户端是 ${running}，可以升级到 ${available}。`,
  install:
    '请用 SSH 登录这台设备，以当初安装时的身份（通常是 root）再运行一次安装命令。它会换上新的客户端并重新启动，设备和域名映射都不变。',
  folder: '当初用 --dir 指定过安装目录的，请在命令末尾加上 -s -- --dir 和同样的目录。',
  manual: '请在这台设备存放客户端的文件夹里运行这一行，下载新的客户端；然后停止正在运行的客户端，再照原来的方式启动。',
  command: '升级命令',
  waiting: '升级后设备会短暂离线，随后以新版本重新上线。',
  done: (version: string) => `已升级，现在是 ${version}`,
};

export const bindDeviceText = {
  title: '添加这台设备？',
  loading: '正在加载',
  intro: '有一台设备正在等待添加到您的账号：',
  name: '名称',
  nameless: '未命名',
  platform: '系统',
  ip: '公网 IP',
  fingerprint: '密钥指纹',
  sameNetwork: '它和您在同一个网络',
  otherNetwork: '它和您不在同一个网络',
  warning: '请确认链接来自您自己的设备，并核对设备上显示的密钥指纹。别人发给您的链接，请不要添加。',
  confirm: '添加设备',
  notMine: '不是我的设备',
  added: '已添加，设备会在几秒内上线',
};

export const testText = {
  title: '检测连接',
  running: '正在逐步检测，最多需要 10 秒…',
  elapsed: (ms: number) => `用时 ${ms} 毫秒`,
  failedAt: (step: string) => `“${step}”这一步没有通过`,
  again: '再测一次',
  steps: {
    dns: '域名解析',
    relay: '中继服务器',
    agent: '设备客户端',
    dns_lan: '局域网解析',
    tcp: 'TCP 连接',
    udp: 'UDP 收发',
    tls: 'TLS 握手',
    http: 'HTTP 响应',
  } satisfies Record<ConnectionStep, string>,
  notNeeded: '不需要',
  notReached: '未检测',
};

export const deleteDeviceText = {
  title: '删除设备',
  warning: '删除后，设备会断开，下面的地址立即失效，且无法恢复。',
  nothing: '这台设备没有域名映射。',
  type: (name: string) => `请输入设备名称${quoted(name)}以确认`,
  confirm: '删除设备',
  removed: (name: string) => `${quoted(name)}已删除`,
};

export const hostWarningText = {
  title: '映射的地址目前只能在服务器本机打开',
  text: (baseDomain: string) =>
    `当前的域名后缀是 ${baseDomain}，*.${baseDomain} 在其他电脑和手机上无法解析。请为本服务准备一个域名，并在启动时设置 BASE_DOMAIN。`,
};
