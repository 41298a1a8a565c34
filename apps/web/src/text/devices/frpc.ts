import { quoted } from './names.ts';

export const frpcText = {
  intro:
    '设备上装不了客户端、但已经有 frpc（0.50 或更高版本，OpenWrt 和多数 NAS 的软件源里都有）时，用它也能连接。给设备起个名字，就会生成它的配置。',
  name: '设备名称',
  namePlaceholder: '例如：客厅路由器',
  nameRequired: '请输入设备名称',
  create: '生成配置',
  forms: { toml: '新版（TOML）', ini: '旧版（INI）', uci: 'OpenWrt' },
  hints: {
    toml: '适用于 frpc 0.52 及更高版本。把 frpc 的配置文件（通常是 frpc.toml）换成这些内容，然后重启 frpc。',
    ini: '适用于 frpc 0.51 及更低版本。把 frpc 的配置文件（通常是 frpc.ini）换成这些内容，然后重启 frpc。',
    uci: '用 SSH 登录路由器，把 /etc/config/frpc 换成这些内容，然后依次运行 /etc/init.d/frpc enable 和 /etc/init.d/frpc restart。',
  },
  caHint: '需要系统的根证书：OpenWrt 请先安装 ca-bundle 软件包，文件不存在时 frpc 不会启动。',
  uncheckedHint:
    '服务器还没有受信任的证书，frpc 不会核对对方的身份。请只在信任的网络里使用，或先为服务器配置域名和证书。',
  secretHint: '配置里有这台设备的密钥，请勿告诉他人。每台设备各用各的配置。',
  waitingHint: 'frpc 换上生成的配置并启动后，设备通常在几秒内上线。',
  neverConnectedHint: '这台设备还没有连接过服务器，请检查 frpc 的配置和是否已启动。',
  copy: '复制',
  configuration: '配置',
  limitsTitle: '用 frpc 连接的设备',
  limits:
    '可以使用 HTTP、HTTPS 和 TCP 映射。不支持 UDP 映射和局域网发现，也不支持只关闭一个方向的连接（例如用 nc 传文件）；局域网主机用名称填写时，由设备自己的 DNS 解析。',
  menu: 'frpc 配置',
  dialogTitle: (device: string) => `frpc 配置 · ${device}`,
  reveal: '显示配置',
  revealHint: '配置里有这台设备的密钥，显示前需要确认是您本人。映射在这里修改后立即生效，不需要改动 frpc 的配置。',
  rotate: '更换密钥',
  rotateTitle: (device: string) => `更换${quoted(device)}的密钥？`,
  rotateText: '旧配置立即失效，设备会断开，直到换上新的配置。',
  rotated: '密钥已更换，请把新的配置粘贴到设备上',
};
