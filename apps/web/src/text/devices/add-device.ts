import type { DeviceAttemptKind } from '@tongtu/contract';

/** The wizard that adds a device. */
export const wizardText = {
  question: '要添加的是什么设备？',
  questionHint: '选一种，接下来会告诉您在那台设备上具体怎么做。',
  back: '换一种设备',
  boxes: {
    openwrt: { name: 'OpenWrt 路由器', hint: 'iStoreOS 等，用软件源里的 frpc' },
    nas: { name: 'NAS', hint: '群晖、威联通、飞牛、Unraid' },
    linux: { name: 'Linux', hint: '服务器、树莓派、虚拟机' },
    docker: { name: 'Docker', hint: '任何能运行容器的机器' },
    windows: { name: 'Windows', hint: 'Windows 10 或更新' },
    macos: { name: 'macOS', hint: 'Mac 电脑' },
    frpc: { name: '已经在用 frpc', hint: '只换一份配置' },
  },
  waiting: '正在等待您的设备…',
  returned: (name: string) => `以前添加过的${name}刚刚恢复在线。如果您操作的就是它，已经不用再做什么。`,
  renew: '换一条新命令',
  late: '还没有等到您的设备',
  otherNetwork: '这里只看得到来自您现在所用网络的尝试。如果设备在别处，请以它自己窗口或日志里的提示为准。',
  steps: {
    script: '设备已经下载安装脚本，正在准备安装…',
    agent: '设备已经下载客户端，正在连接…',
  },
  checks: {
    script:
      '设备下载了安装脚本，但还没有下载客户端。请看它窗口里的提示：常见的是空间不足、没有适合的 Node.js，或命令没有粘贴完整。',
    agent: (address: string) =>
      `设备下载了客户端，但没有连上 ${address}。请检查设备、路由器或服务器的防火墙是否拦截了这个端口（TCP）。`,
    nothing: '服务器没有收到来自设备的任何连接。请检查：',
    ran: '命令是否已经在设备上运行，并且没有报错；',
    dns: (host: string) => `设备能否联网，能否解析并打开 ${host}；`,
    port: (address: string) => `设备所在的网络或服务器的防火墙是否拦截了 ${address}（TCP）。`,
    frpcRan: 'frpc 是否已经换上新的配置并重新启动，它的日志里有没有报错；',
  },
};

type Problem = { title: string; text: string };
export type ProblemKind = Exclude<DeviceAttemptKind, 'script' | 'agent'>;

/** What the server has seen of a device that it did not let in, and what helps. */
export const problemTexts: Record<ProblemKind, Problem> = {
  key_used: {
    title: '命令里的接入密钥已经用过',
    text: '一次性的密钥只能添加一台设备。请换一条新命令，再粘贴一次。',
  },
  key_expired: { title: '命令里的接入密钥已经过期', text: '请换一条新命令，再粘贴一次。' },
  token_invalid: {
    title: '设备带来的密钥不正确',
    text: '命令可能没有复制完整，或密钥已被撤销。请重新复制整行命令，再粘贴一次。',
  },
  key_in_use: {
    title: '这台设备已经属于另一个账号',
    text: '请先在原来的账号里删除它，或在设备上卸载客户端后再安装。',
  },
  device_unknown: {
    title: '设备拿着已被删除的身份',
    text: '它以前添加过，后来在控制台里删除了。请带着这里的命令重新安装一次，它会成为新的设备。',
  },
  device_suspended: { title: '设备或账号已被停用', text: '请联系管理员。' },
  protocol_unsupported: { title: '客户端的版本不合适', text: '请用这里的命令重新安装，换上服务器提供的版本。' },
  broken_off: {
    title: '设备连上了服务器，随即断开',
    text: '命令里的证书指纹可能与服务器不符（命令是旧的，或中间有代理替换了加密连接）。请重新复制命令，并检查网络里有没有拦截加密连接的软件。',
  },
  clock_wrong: {
    title: '设备认为服务器的证书已过期',
    text: '多半是设备的时间不对。请先校准设备的日期和时间（OpenWrt 可运行 ntpd -q -p ntp.aliyun.com），再重试。',
  },
  certificate_refused: {
    title: '设备不信任服务器的证书',
    text: '请检查设备的日期和时间，以及是否装有根证书（OpenWrt 的软件包 ca-bundle，其他系统通常是 ca-certificates）。服务器用自建机构的证书时，请把它的根证书加入设备的系统信任列表。',
  },
  name_unknown: {
    title: '有设备用不认识的域名连接服务器',
    text: '配置里的服务器地址（serverAddr 或 server_addr）可能写错了。请重新复制整份配置，不要改动其中的地址。',
  },
  frpc_unknown: {
    title: 'frpc 带来的设备编号（user）不存在',
    text: '设备可能已在控制台里删除，或配置没有复制完整。请重新复制整份配置。',
  },
  frpc_token: {
    title: 'frpc 的密钥（token）不正确',
    text: '密钥可能已经更换，或配置没有复制完整。请重新复制整份配置，再重启 frpc。',
  },
  frpc_twice: {
    title: '另一个 frpc 正在用同一份配置',
    text: '每台设备要各用各的配置。请为这台设备另外生成一份，或停掉另一个 frpc。',
  },
  frpc_clock: {
    title: '设备的时钟不准，frpc 不能登录',
    text: '它与服务器相差超过 5 分钟，断电后没有校时的设备常会这样；或者刚被调回了几分钟，这时最多等 5 分钟。请在设备上开启时间同步（NTP；OpenWrt 可运行 ntpd -q -p ntp.aliyun.com），之后 frpc 会自动连上。',
  },
  frpc_no_tls: {
    title: 'frpc 没有加密就来连接',
    text: "0.50 以前的 frpc 不会自动加密：请在 [common] 里加上 tls_enable = true（OpenWrt：option tls_enable 'true'），或重新复制整份配置。更新的版本请去掉关闭 TLS 的一行（transport.tls.enable = false 或 tls_enable = false）。",
  },
  frpc_protocol: {
    title: 'frpc 的连接方式不符',
    text: '请去掉配置里关闭多路复用的一行（transport.tcpMux = false 或 tcp_mux = false），并确认 frpc 是 0.44 或更高版本。以前用 v2 协议（transport.wireProtocol）连接过的设备不能退回 v1，除非更换密钥。',
  },
};

/** What to do on each kind of device. */
export const boxText = {
  copy: '复制',
  commandLabel: '命令',
  openwrt: {
    intro:
      'OpenWrt 的软件源里有 frpc：下载约 5 MB，安装后占 5–16 MB（看闪存是否压缩），不需要 Node.js，比客户端更适合路由器。给路由器起个名字，就会生成命令。映射以后都在控制台里管理，不用再改路由器。',
    login: '用 SSH 登录路由器，例如：',
    loginCommand: 'ssh root@192.168.1.1',
    loginHint: '地址换成路由器自己的，密码就是管理页面的密码。',
    paste: '粘贴这些命令。它们安装 frpc 和根证书，写入配置并启动；原来的配置存为 /etc/config/frpc.bak。',
    agentTitle: '也可以安装客户端（需要 64 MB 以上的空闲空间）',
    agentHint:
      '比 frpc 多支持 UDP 映射和局域网发现。先安装 Node.js（apk add node 或 opkg install node），再粘贴这一行：',
  },
  nas: { label: 'NAS 品牌', brands: { synology: '群晖', qnap: '威联通', fnos: '飞牛', unraid: 'Unraid' } },
  synology: {
    steps: [
      '在套件中心安装 Node.js v20 或更新版本（没有时，脚本会从这台服务器下载 Node.js，约 40 MB，仅限 x64 和 arm64 机型）。',
      '打开控制面板 → 任务计划，点“新增”→“触发的任务”→“用户定义的脚本”。',
      '“常规”里任务名称随意，用户账号选 root，事件选“开机”。',
      '“任务设置”的“运行命令”里粘贴下面这一行，点“确定”。DSM 7 会提醒脚本有风险，并要求输入您登录 DSM 的密码。',
      '在列表里选中这个任务，点“运行”。设备上线后请保留这个任务：DSM 更新可能清掉客户端的服务，它在开机时会重新装好并启动。',
    ],
    drawing: '群晖的任务计划：新增、触发的任务、用户定义的脚本，然后选 root 并粘贴命令',
  },
  qnap: {
    steps: [
      '在 App Center 安装并打开 Container Station。',
      '左侧选“应用程序”，点“创建”。',
      '应用程序名称随意，把下面的内容粘贴到 YAML 框里，点“创建”。',
    ],
    drawing: '威联通的 Container Station：应用程序、创建，然后粘贴 YAML',
  },
  fnos: {
    steps: [
      '打开系统设置 → SSH，打开“启用 SSH”。',
      '在电脑上打开终端，用管理员账号登录：ssh 用户名@飞牛的地址。',
      '运行 sudo -i 切换到 root，再粘贴下面这一行。',
    ],
  },
  unraid: {
    steps: ['在设置里启用 Docker。', '点页面右上角的终端图标（>_），粘贴下面的命令。'],
  },
  linux: {
    hint: '用 SSH 登录设备，以 root 身份粘贴这一行。只需要 curl 或 wget；没有 Node.js 时会从这台服务器下载（约 40 MB）。',
    manualTitle: '其他系统，或只想临时运行',
  },
  docker: {
    forms: { run: '一条命令', compose: 'Compose' },
    label: '形式',
    run: '在装有 Docker 的 Linux 机器上粘贴。镜像是官方的 node，客户端每次启动时从这台服务器下载；设备的身份在卷 tongtu-agent 里。',
    compose: '存为 compose.yaml，在同一个文件夹里运行 docker compose up -d。NAS 的容器管理界面里可以直接粘贴。',
    composeLabel: 'Compose 内容',
    mirror: '镜像加速地址（可选）',
    mirrorPlaceholder: '例如 docker.m.daocloud.io',
    mirrorHint:
      '中国大陆的网络通常连不上 Docker Hub：填写您的 Docker 能连上的加速地址，会加在镜像名前面，并记在这个浏览器里。已在 Docker 里设置过加速的不用填。',
    mirrorWrong: '请只填写主机名，可以带端口和路径，例如 docker.m.daocloud.io；现在的命令没有使用它。',
    hostNetwork:
      '容器使用主机的网络，才能访问局域网里的其他设备。Windows 和 macOS 上的 Docker 做不到，请直接安装客户端。',
  },
  windows: {
    steps: ['右键点击“开始”，选择“终端管理员”或“Windows PowerShell（管理员）”。', '粘贴下面这一行，按回车。'],
    drawing: '右键点击开始按钮，选择终端管理员',
    after: '客户端会随系统启动，不用登录。再次粘贴会等旧的客户端停下，然后升级它。',
    sleep:
      '电脑睡眠时会断开。需要一直可用时，请在设置 → 系统 → 电源里把“睡眠”设为“从不”（笔记本还要把“合上盖子”设为“不执行任何操作”），或在同一个窗口里运行：',
    sleepCommand: 'powercfg /change standby-timeout-ac 0; powercfg /change hibernate-timeout-ac 0',
  },
  macos: {
    steps: [
      '没有 Node.js 时，先从 nodejs.org 下载并安装 LTS 版本，或运行 brew install node。',
      '打开“终端”（启动台 → 其他 → 终端），运行 sudo -i，输入开机密码。',
      '粘贴下面这一行，按回车。',
    ],
    after: '客户端会随系统启动。Mac 睡眠时会断开，需要一直可用时请在系统设置里关闭自动睡眠。',
  },
};
