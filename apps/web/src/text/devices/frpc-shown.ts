const managed = '由 frpc.toml 管理';

/** What the devices' screen shows of frpc; the texts of its dialogs are loaded with them. */
export const frpcShownText = {
  neverConnectedHint: '这台设备还没有连接过服务器，请检查 frpc 的配置和是否已启动。',
  menu: 'frpc 配置',
  tomlMenu: 'frpc 连接设置',
  noMappings: 'frpc.toml 里还没有被接受的代理。在那里添加代理并重启 frpc，就会出现在这里。',
  managed: (proxy: string) => (proxy === '' ? managed : `${managed} · ${groupIn(proxy) ?? proxy}`),
  managedTitle: (proxy: string) => (proxy === '' ? managed : `${managed}（${groupIn(proxy) ?? `代理 ${proxy}`}）`),
  managedHint: '地址和目标请在设备的 frpc.toml 里修改，重启 frpc 后生效。访问权限、时间和备注在这里修改。',
};

/** The proxies of a group have one name together, such as `group:http:web`. */
function groupIn(proxy: string): string | undefined {
  const group = /^group:[a-z]+:(.+)$/su.exec(proxy)?.[1];
  return group === undefined ? undefined : `代理组 ${group}`;
}
