import { expect, test } from 'vitest';
import { Environment } from '../config.ts';
import { describeUnknownSetting, findUnknownSettings } from './unknown-settings.ts';

const settings = Object.keys(Environment.shape);
const find = (env: NodeJS.ProcessEnv) => findUnknownSettings(env, settings);

test.each([
  ['BASE_DOMIAN', 'BASE_DOMAIN'],
  ['TLS_PROT', 'TLS_PORT'],
  ['ACME_EMIAL', 'ACME_EMAIL'],
  ['PROT', 'PORT'],
  ['DATA_DRI', 'DATA_DIR'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['base_domain', 'BASE_DOMAIN'],
  ['TLS_CERT_FILES', 'TLS_CERT_FILE'],
  ['CLOUDFLARE_API_TOKE', 'CLOUDFLARE_API_TOKEN'],
  ['TLS_CERTIFICATE', undefined],
  ['TRUSTED_PROXY', undefined],
  ['SMTP_HOST', undefined],
  ['TONGTU_DOMAIN', undefined],
])('%s is reported as unknown', (name, meant) => {
  expect(find({ [name]: 'secret' })).toEqual([{ name, meant }]);
  const line = describeUnknownSetting({ name, meant });
  expect(line).toContain(name);
  expect(line).toContain(meant ?? 'docs/configuration.md');
  expect(line).not.toContain('secret');
});

test('every setting is known, and so are those of the agent', () => {
  const names = [...settings, 'NODE_ENV', 'TONGTU_TOKEN', 'TONGTU_SERVER'];
  expect(find(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

test('variables of shells, services, containers and other programs are not reported', () => {
  const names = `PATH HOME USER LOGNAME SHELL PWD OLDPWD SHLVL TERM LANG LC_ALL LANGUAGE TZ MAIL EDITOR PAGER HOSTNAME HOSTTYPE
    HOSTS POST PORTS DISPLAY SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY SUDO_USER SUDO_UID XDG_RUNTIME_DIR TMPDIR TEMP
    INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID STATE_DIRECTORY RUNTIME_DIRECTORY LISTEN_FDS LISTEN_PID NOTIFY_SOCKET
    WATCHDOG_USEC WATCHDOG_PID MAINPID CREDENTIALS_DIRECTORY MEMORY_PRESSURE_WATCH KUBERNETES_PORT KUBERNETES_SERVICE_HOST
    RELAY_PORT RELAY_SERVICE_HOST RELAY_SERVICE_PORT_HTTP RELAY_PORT_80_TCP RELAY_PORT_80_TCP_ADDR container DOCKER_HOST
    NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE UV_THREADPOOL_SIZE YARN_VERSION CI COLOR
    INIT_CWD npm_config_port npm_package_name npm_lifecycle_event HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy
    https_proxy no_proxy ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR PGHOST PGPORT PGUSER PGPASSWORD PGDATA PGDATABASE
    POSTGRES_PASSWORD POSTGRES_DB MYSQL_HOST REDIS_URL MONGO_URL AWS_REGION AWS_ACCESS_KEY_ID ALIBABA_CLOUD_ACCESS_KEY_ID
    TENCENTCLOUD_REGION CLOUDFLARE_ACCOUNT_ID CLOUDFLARE_EMAIL TUNNEL_TOKEN TUNNEL_ORIGIN_CERT GITHUB_TOKEN CHROMIUM
    LOG_LEVEL_OTHER DEBUG VERBOSE COLUMNS LINES LS_COLORS PS1 IFS _ LESSOPEN WSLENV NAME`;
  expect(find(Object.fromEntries(names.split(/\s+/).map((name) => [name, 'x'])))).toEqual([]);
});

test('a variable is not reported when the setting that it resembles is set as well', () => {
  expect(find({ LOGLEVEL: 'x' })).toEqual([{ name: 'LOGLEVEL', meant: 'LOG_LEVEL' }]);
  expect(find({ LOGLEVEL: 'x', LOG_LEVEL: 'info' })).toEqual([]);
});
