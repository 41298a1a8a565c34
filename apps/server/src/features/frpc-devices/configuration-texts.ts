export type FrpcSettings = {
  host: string;
  port: number;
  /** Whether the server has a certificate that frpc can check. */
  isCertificateChecked: boolean;
  user: string;
  token: string;
};

export type ConfigurationTexts = { toml: string; ini: string; uci: string };

/** Where OpenWrt (with the package ca-bundle), Debian and most NAS systems have the certificates of authorities. */
const CA_FILE = '/etc/ssl/certs/ca-certificates.crt';
/** Before 0.50 frpc begins without TLS, or sends a byte of its own before it, which does not fit the port of visitors. */
const OLD_TLS = { tls_enable: 'true', disable_custom_tls_first_byte: 'true' };
/** Every network; frpc sends to it from the device. */
const BROADCAST = '255.255.255.255';
const WAKE_PORT = 9;

/**
 * Only keys that the oldest version of each form knows: frpc refuses a file with an unknown one. Without
 * `loginFailExit = false` frpc would end for good when its first login fails.
 */
export function configurationTexts(settings: FrpcSettings): ConfigurationTexts {
  return { toml: tomlOf(settings), ini: iniOf(settings), uci: uciOf(settings) };
}

/** The lines before the proxies, for users who have their own file. */
export function accountTexts(settings: FrpcSettings): Pick<ConfigurationTexts, 'toml' | 'ini'> {
  return { toml: textOf(...tomlHead(settings)), ini: textOf(...iniHead(settings)) };
}

function tomlHead({ host, port, isCertificateChecked, user, token }: FrpcSettings): string[] {
  return [
    `serverAddr = "${host}"`,
    `serverPort = ${port}`,
    `user = "${user}"`,
    `auth.token = "${token}"`,
    'loginFailExit = false',
    ...(isCertificateChecked ? [`transport.tls.trustedCaFile = "${CA_FILE}"`] : []),
  ];
}

function tomlOf(settings: FrpcSettings): string {
  return textOf(
    ...tomlHead(settings),
    '',
    '[[proxies]]',
    'name = "lan"',
    'type = "tcp"',
    'plugin.type = "http_proxy"',
    '',
    '[[proxies]]',
    'name = "wake"',
    'type = "udp"',
    `localIP = "${BROADCAST}"`,
    `localPort = ${WAKE_PORT}`,
  );
}

function iniHead({ host, port, isCertificateChecked, user, token }: FrpcSettings): string[] {
  return [
    '[common]',
    `server_addr = ${host}`,
    `server_port = ${port}`,
    `user = ${user}`,
    `token = ${token}`,
    'login_fail_exit = false',
    ...Object.entries(OLD_TLS).map(([key, value]) => `${key} = ${value}`),
    ...(isCertificateChecked ? [`tls_trusted_ca_file = ${CA_FILE}`] : []),
  ];
}

function iniOf(settings: FrpcSettings): string {
  return textOf(
    ...iniHead(settings),
    '',
    '[lan]',
    'type = tcp',
    'remote_port = 0',
    'plugin = http_proxy',
    '',
    '[wake]',
    'type = udp',
    `local_ip = ${BROADCAST}`,
    `local_port = ${WAKE_PORT}`,
    'remote_port = 0',
  );
}

function uciOf({ host, port, isCertificateChecked, user, token }: FrpcSettings): string {
  const section = (name: string, options: Record<string, string>) => [
    `config conf '${name}'`,
    ...Object.entries(options).map(([key, value]) => `\toption ${key} '${value}'`),
    '',
  ];
  return textOf(
    'config init',
    "\toption stdout '1'",
    "\toption stderr '1'",
    "\toption respawn '1'",
    '',
    ...section('common', {
      server_addr: host,
      server_port: String(port),
      user,
      token,
      login_fail_exit: 'false',
      ...OLD_TLS,
      ...(isCertificateChecked && { tls_trusted_ca_file: CA_FILE }),
    }),
    ...section('lan', { type: 'tcp', remote_port: '0', plugin: 'http_proxy' }),
    ...section('wake', { type: 'udp', local_ip: BROADCAST, local_port: String(WAKE_PORT), remote_port: '0' }),
  );
}

function textOf(...lines: string[]): string {
  return `${lines.join('\n').trimEnd()}\n`;
}
