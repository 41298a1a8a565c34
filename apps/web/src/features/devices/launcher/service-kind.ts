/** The kind of a service, which chooses its icon. */
export type ServiceKind =
  | ('photos' | 'video' | 'music' | 'download' | 'home' | 'camera' | 'printer' | 'chart' | 'code' | 'book')
  | ('key' | 'screen' | 'terminal' | 'files' | 'router' | 'nas');

type Rule = { kind: ServiceKind; words: RegExp; ports: readonly number[] };

/** The first matching rule wins, so services come before the machines that they run on. */
const rules: readonly Rule[] = [
  {
    kind: 'photos',
    words: /photo|immich|album|galler|piwigo|lychee|相册|照片|图库/u,
    ports: [2283, 2342],
  },
  {
    kind: 'video',
    words: /jellyfin|emby|plex|video|movie|\bmedia\b|\btv\b|影|视频|电视|追剧/u,
    ports: [8096, 8920, 32_400],
  },
  { kind: 'music', words: /music|navidrome|audio|airsonic|音乐|听书/u, ports: [4533, 13_378] },
  {
    kind: 'download',
    words: /torrent|transmission|aria2|download|\b(bt|qb|pt)\b|下载/u,
    ports: [6800, 6880, 9091],
  },
  { kind: 'home', words: /home-?assistant|\bhass\b|\biot\b|homebridge|家居/u, ports: [8123, 8581] },
  { kind: 'camera', words: /camera|\bcam\b|\bnvr\b|frigate|监控|摄像|门铃/u, ports: [8971] },
  { kind: 'printer', words: /print|\bcups\b|打印/u, ports: [631] },
  {
    kind: 'chart',
    words: /grafana|prometheus|netdata|uptime|\bkuma\b|monitor|status|dashboard|统计|看板|监测/u,
    ports: [3001, 9090, 19_999],
  },
  { kind: 'code', words: /\bgit\b|gitea|gitlab|\bcode\b|jenkins|\bci\b|代码/u, ports: [] },
  {
    kind: 'book',
    words: /wiki|\bnotes?\b|book|calibre|kavita|komga|\bdocs?\b|blog|笔记|书|文档|博客|漫画/u,
    ports: [8083, 25_600],
  },
  { kind: 'key', words: /vault|bitwarden|passw|密码/u, ports: [] },
  {
    kind: 'screen',
    words: /proxmox|\bpve\b|esxi|\bvms?\b|desktop|\bvnc\b|guacamole|桌面|虚拟机|电脑/u,
    ports: [6080, 8006],
  },
  {
    kind: 'files',
    words: /\bfiles?\b|alist|cloud|seafile|webdav|\bdrive\b|网盘|云盘|文件/u,
    ports: [5244],
  },
  { kind: 'router', words: /router|openwrt|\bluci\b|gateway|wifi|ikuai|路由|网关|光猫/u, ports: [] },
  { kind: 'nas', words: /\bnas\b|synology|\bdsm\b|qnap|truenas|unraid|群晖|威联通|存储/u, ports: [5000, 5001] },
];

export type Service = {
  /** All names of the service: the remark, the prefix or the host. */
  words: readonly string[];
  /** The port in the LAN; undefined for a mapping of another user. */
  port: number | undefined;
};

/** Guesses the kind of a service. Names take precedence over the port. Undefined when neither is known. */
export function serviceKind({ words, port }: Service): ServiceKind | undefined {
  const text = words.join('\n').toLowerCase();
  const rule =
    rules.find((each) => each.words.test(text)) ??
    rules.find((each) => port !== undefined && each.ports.includes(port));
  return rule?.kind;
}
