import { quoted } from './names.ts';

export const frpcText = {
  intro:
    '设备上装不了客户端、但已经有 frpc（0.44 或更高版本；OpenWrt、iStoreOS 的软件源里有，NAS 的软件源里很少有）时，用它也能连接。给设备起个名字，就会生成它的配置。',
  name: '设备名称',
  namePlaceholder: '例如：客厅路由器',
  nameRequired: '请输入设备名称',
  create: '生成配置',
  forms: { toml: '0.52 起（TOML）', ini: '0.44–0.51（INI）', uci: 'OpenWrt' },
  hints: {
    toml: '适用于 frpc 0.52 及更高版本（用 frpc -v 查看）。把 frpc 的配置文件（通常是 frpc.toml）换成这些内容，然后重启 frpc。',
    ini: '适用于 frpc 0.44 到 0.51（用 frpc -v 查看版本）。把 frpc 的配置文件（通常是 frpc.ini）换成这些内容，然后重启 frpc。',
    uci: '用 SSH 登录路由器，把 /etc/config/frpc 换成这些内容，然后依次运行 /etc/init.d/frpc enable 和 /etc/init.d/frpc restart。',
  },
  caHint:
    '需要系统的根证书：OpenWrt 请先安装 ca-bundle 软件包，文件不存在时 frpc 不会启动。Windows、威联通等没有这个文件的系统，请把路径换成那里的根证书文件。',
  uncheckedHint:
    '服务器还没有受信任的证书，frpc 不会核对对方的身份。请只在信任的网络里使用，或先为服务器配置域名和证书。',
  loopbackHint:
    '您正通过本机地址打开控制台，其他设备连不到这个地址。请改用这台服务器的局域网 IP 或域名打开控制台，再复制配置。',
  secretHint: '配置里有这台设备的密钥，请勿告诉他人。每台设备各用各的配置。',
  waitingHint: 'frpc 换上新的设置并重新启动后，设备通常在几秒内上线。',
  copy: '复制',
  configuration: '配置',
  limitsTitle: '用 frpc 连接的设备',
  limits:
    '可以使用 HTTP、HTTPS 和 TCP 映射。不支持 UDP 映射和局域网发现，也不支持只关闭一个方向的连接（例如用 nc 传文件）；局域网主机用名称填写时，由设备自己的 DNS 解析。',
  dialogTitle: (device: string) => `frpc 配置 · ${device}`,
  reveal: '显示配置',
  revealHint: '配置里有这台设备的密钥，显示前需要确认是您本人。映射在这里修改后立即生效，不需要改动 frpc 的配置。',
  rotate: '更换密钥',
  rotateTitle: (device: string) => `更换${quoted(device)}的密钥？`,
  rotateText: '旧配置立即失效，设备会断开，直到换上新的配置。',
  rotated: '密钥已更换，请把新的配置粘贴到设备上',
};

/** Of a frpc whose own configuration manages the mappings. */
export const frpcTomlText = {
  way: '配置',
  ways: { console: '在控制台管理映射', toml: '保留我的代理' },
  intro:
    '已经在用 frpc、配置里写好了代理时，不用逐条重建：把服务器地址、用户名和 frpc 令牌换成下面的内容，重启 frpc。它会成为一台设备，每个代理成为一条映射，默认只有您自己能访问。',
  limits: (ports: string | undefined) =>
    `支持 http、https、tcp、udp 和 stcp 代理${ports === undefined ? '' : `，remotePort 请用 ${ports}`}。httpUser、locations、requestHeaders、proxyProtocolVersion 等照常生效。stcp 代理也得到一个公网端口，默认同样只有您自己能访问；同一账号的其他 frpc 可以用 visitor 和 secretKey 连接它。被拒绝的代理会在 frpc 的日志里说明原因。`,
  hints: {
    toml: '适用于 frpc 0.52 及更高版本。用这些内容替换 frpc.toml 里的同名项，[[proxies]] 部分不用改。',
    ini: '适用于 frpc 0.44 到 0.51（用 frpc -v 查看版本）。用这些内容替换 frpc.ini 里的 [common] 部分，其余不用改。',
  },
  severalHint: (user: string) =>
    `有多台设备时，在用户名后面加上点号和名字，例如 user = "${user}.office"，每个名字是一台设备。`,
  secretHint: 'frpc 令牌属于您的账号，所有用 frpc.toml 连接的设备共用，请勿告诉他人。',
  revealHint: '其中有您账号的 frpc 令牌，显示前需要确认是您本人。',
  reveal: '显示连接设置',
  settings: '连接设置',
  dialogTitle: 'frpc 连接设置',
  rotate: '换 frpc 令牌',
  rotateTitle: '换一个 frpc 令牌？',
  rotateText: '仍用旧的 frpc 令牌的设备立即断开，直到换上新的。',
  rotated: 'frpc 令牌已换新，请在每台设备的 frpc.toml 里换上',
};
