import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';
import { localTunnelPort, publicTunnelPorts } from './settings/tunnel-ports.ts';

test('an empty environment gives a complete self-hosted configuration', () => {
  expect(readConfig({}, [])).toMatchObject({
    httpPort: 8080,
    tlsPort: 8443,
    tunnelPorts: [7000],
    drainMs: 10_000,
    baseDomain: 'localhost',
    databaseUrl: undefined,
    npmRegistry: 'https://registry.npmjs.org',
    billing: 'off',
    runsLocalAgent: true,
  });
});

test('a variable that is set to nothing counts as not set', () => {
  expect(readConfig({ PORT: '', ADMIN_PASSWORD: '' }, [])).toMatchObject({ httpPort: 8080, adminPassword: undefined });
});

test('every wrong variable is named in one message', () => {
  const attempt = () => readConfig({ PORT: 'eighty', BASE_DOMAIN: 'http://x', TUNNEL_PORT: '-1' }, []);
  expect(attempt).toThrow(OperatorError);
  expect(attempt).toThrow(/PORT[\s\S]*TUNNEL_PORT[\s\S]*BASE_DOMAIN/);
});

test('blanks and carriage returns at the ends of a value, as in env files of Windows, do not count', () => {
  const env = { PORT: ' 80', BILLING: 'on\r', BASE_DOMAIN: 'example.com ', HOST: ' ', ADMIN_PASSWORD: ' a b \r' };
  expect(readConfig(env, [])).toMatchObject({
    httpPort: 80,
    billing: 'on',
    baseDomain: 'example.com',
    host: '::',
    adminPassword: ' a b ',
  });
});

test('quotes that an env file has left are named, but may belong to a password', () => {
  const attempt = () => readConfig({ PORT: '"80"', DATA_DIR: "'/data'", SMTP_FROM: '"通途" <a@example.com>' }, []);
  expect(attempt).toThrow(
    /^环境变量不正确：\n {2}PORT：值的两端带着引号，请把引号去掉\n {2}DATA_DIR：值的两端带着引号，请把引号去掉$/,
  );
  expect(readConfig({ ADMIN_PASSWORD: '"secret"' }, []).adminPassword).toBe('"secret"');
});

test('ports that are the same are refused', () => {
  expect(() => readConfig({ PORT: '9000', TLS_PORT: '9000' }, [])).toThrow('必须各不相同，现在有两个是 9000');
});

test('each relay process has a tunnel port of its own, in sequence', () => {
  expect(readConfig({ RELAY_PROCESSES: '3', TUNNEL_PORT: '7100' }, []).tunnelPorts).toEqual([7100, 7101, 7102]);
  expect(readConfig({ RELAY_PROCESSES: '2', TUNNEL_PORT: '0' }, []).tunnelPorts).toEqual([0, 0]);
  expect(readConfig({ RELAY_PROCESSES: 'auto' }, []).tunnelPorts).toEqual(
    availableParallelism() > 1 ? [7000, 7001] : [7000],
  );
});

test('tunnel ports that are in use or do not exist are refused', () => {
  expect(() => readConfig({ RELAY_PROCESSES: '2', TUNNEL_PORT: '8079' }, [])).toThrow(
    'PORT、TLS_PORT、FRP_PORT 和 TUNNEL_PORT（8079-8080） 必须各不相同',
  );
  expect(() => readConfig({ RELAY_PROCESSES: '2', TUNNEL_PORT: '65535' }, [])).toThrow('不够');
  expect(() => readConfig({ RELAY_PROCESSES: '9' }, [])).toThrow('RELAY_PROCESSES：必须是 1 到 8 之间的整数，或 auto');
  expect(() => readConfig({ DRAIN_SECONDS: '-1' }, [])).toThrow('DRAIN_SECONDS');
});

test('the congestion control is bbr unless the operator chooses another', () => {
  expect(readConfig({}, []).congestionControl).toBe('bbr');
  expect(readConfig({ CONGESTION_CONTROL: 'system' }, []).congestionControl).toBe('system');
  expect(() => readConfig({ CONGESTION_CONTROL: 'vegas' }, [])).toThrow('CONGESTION_CONTROL');
});

test('agents may dial other, also consecutive, ports than the relays listen on', () => {
  const config = readConfig({ RELAY_PROCESSES: '2', TUNNEL_PORT: '7100', TUNNEL_PUBLIC_PORT: '443' }, []);
  expect(config.tunnelPorts).toEqual([7100, 7101]);
  expect(publicTunnelPorts(config)).toEqual([443, 444]);
  expect([443, 444, 7000].map((port) => localTunnelPort(config, port))).toEqual([7100, 7101, 7000]);
  expect(publicTunnelPorts(readConfig({ TUNNEL_PORT: '7100' }, []))).toEqual([7100]);
  expect(() => readConfig({ TUNNEL_PUBLIC_PORT: '0' }, [])).toThrow('TUNNEL_PUBLIC_PORT：必须是 1 到 65535');
  expect(() => readConfig({ RELAY_PROCESSES: '2', TUNNEL_PUBLIC_PORT: '65535' }, [])).toThrow(
    'TUNNEL_PUBLIC_PORT 之后',
  );
});

test.each(['1e3', '0x10', '80.0', '+80', '8 0', '80s', '-1', '1_000'])(
  '%j is no port and no number of seconds',
  (text) => {
    for (const name of ['PORT', 'TLS_PORT', 'TUNNEL_PORT', 'TUNNEL_PUBLIC_PORT', 'DRAIN_SECONDS', 'HSTS_SECONDS']) {
      expect(() => readConfig({ [name]: text }, [])).toThrow(`${name}：必须是`);
    }
  },
);

test.each(['http://a b c', 'a.example:8080', '-a.example', 'a..example', '*.example', 'a_b.example'])(
  '%j is no list of further names of the console',
  (text) => {
    expect(() => readConfig({ CONSOLE_HOSTS: text }, [])).toThrow('CONSOLE_HOSTS：必须是域名');
  },
);

test('an error about a variable is in Chinese', () => {
  expect(() => readConfig({ PORT: '70000' }, [])).toThrow('PORT：必须是 0 到 65535 之间的整数');
  expect(() => readConfig({ PORT: 'abc' }, [])).toThrow('PORT：必须是 0 到 65535 之间的整数');
  expect(() => readConfig({ LOG_LEVEL: 'loud' }, [])).toThrow('LOG_LEVEL：只能是以下之一：debug、info、warn、error');
});

test.each([
  ['DATABASE_URL', 'mysql://user@127.0.0.1/tongtu', 'postgres://user:password@127.0.0.1:5432/tongtu'],
  ['DATABASE_URL', '127.0.0.1:5432', 'postgres://user:password@127.0.0.1:5432/tongtu'],
  ['DATABASE_URL', 'postgres://', 'postgres://user:password@127.0.0.1:5432/tongtu'],
  ['DATABASE_URL', 'postgresql:tongtu', 'postgres://user:password@127.0.0.1:5432/tongtu'],
  ['SMTP_URL', 'smtp://', 'smtps://user:password@smtp.example.com:465'],
  ['SMTP_FROM', '通途', 'noreply@example.com'],
  ['SMTP_URL', 'https://smtp.example.com', 'smtps://user:password@smtp.example.com:465'],
  ['BASE_DOMAIN', '192.168.1.2', 'example.com'],
  ['BASE_DOMAIN', 'home.0x7f', 'example.com'],
  ['HOST', 'bogus host', '127.0.0.1'],
  ['TRUSTED_PROXIES', '0.0.0.0/0', '127.0.0.1,10.0.0.0/8'],
  ['ACME_EMAIL', 'nobody', 'admin@example.com'],
  ['PUBLIC_URL', 'https://*.example.com', 'https://tongtu.example.com'],
  ['PUBLIC_URL', 'ftp://example.com', 'https://tongtu.example.com'],
  ['ACME_DIRECTORY_URL', 'http://acme.example.com', 'https://acme-v02.api.letsencrypt.org/directory'],
  ['WECHAT_API_URL', 'api.weixin.qq.com', 'https://api.weixin.qq.com'],
])('a wrong %s (%s) is answered with an example of that setting', (name, value, example) => {
  expect(() => readConfig({ [name]: value }, [])).toThrow(new RegExp(`${name}：必须是.*例如 ${example}`));
});

test.each([
  'https://x.example/tongtu',
  'https://x.example/#/devices',
  'https://x.example?a',
  'https://a:secret@x.example',
])('a public URL is the origin of the console alone, unlike %s', (url) => {
  const attempt = () => readConfig({ PUBLIC_URL: url }, []);
  expect(attempt).toThrow(/PUBLIC_URL：只能有域名和端口，不能含有.*例如 https:\/\/tongtu\.example\.com$/);
  expect(attempt).not.toThrow('secret');
});

test.each(['postgres://u@db', 'postgres:///tongtu?host=/run/postgresql', 'postgres://%2Frun%2Fpostgresql/tongtu'])(
  'a database may be named as %s',
  (url) => {
    expect(readConfig({ DATABASE_URL: url }, []).databaseUrl).toBe(url);
  },
);

test('an unknown option is refused with the usage', () => {
  expect(() => readConfig({}, ['--no-local-agents'])).toThrow('用法');
  expect(readConfig({}, ['--no-local-agent']).runsLocalAgent).toBe(false);
  expect(() => readConfig({}, ['--make-superuser'])).toThrow('用法');
  expect(readConfig({}, ['--make-superuser', 'li']).superuserToMake).toBe('li');
});

test('extra console hosts are split, and the public URL becomes an origin', () => {
  expect(readConfig({ CONSOLE_HOSTS: 'A.example, b.example', PUBLIC_URL: 'https://X.example:443/' }, [])).toMatchObject(
    {
      consoleHosts: ['a.example', 'b.example'],
      publicUrl: 'https://x.example',
    },
  );
});

test('a bandwidth is given in Mbit/s, and none means no limit', () => {
  expect(readConfig({}, []).defaultBandwidthBps).toBeNull();
  expect(readConfig({ DEVICE_BANDWIDTH_MBIT: '0' }, []).defaultBandwidthBps).toBeNull();
  expect(readConfig({ DEVICE_BANDWIDTH_MBIT: '2.5' }, []).defaultBandwidthBps).toBe(2_500_000);
  expect(readConfig({ DEVICE_BANDWIDTH_MBIT: '0.0000001' }, []).defaultBandwidthBps).toBe(1);
  expect(() => readConfig({ DEVICE_BANDWIDTH_MBIT: '-1' }, [])).toThrow('DEVICE_BANDWIDTH_MBIT：必须是');
  expect(() => readConfig({ DEVICE_BANDWIDTH_MBIT: '1e3' }, [])).toThrow('DEVICE_BANDWIDTH_MBIT：必须是');
  expect(() => readConfig({ DEVICE_BANDWIDTH_MBIT: '1000001' }, [])).toThrow('DEVICE_BANDWIDTH_MBIT：必须是');
  expect(() => readConfig({ DEVICE_BANDWIDTH_MBIT: 'fast' }, [])).toThrow('DEVICE_BANDWIDTH_MBIT：必须是');
});

test('the ports of the service itself are refused for mappings', () => {
  const env = { MAPPING_PORTS: '7000-7009', TUNNEL_PORT: '7009', RELAY_PROCESSES: '1' };
  expect(() => readConfig(env, [])).toThrow('MAPPING_PORTS 不能包含本服务自己的端口 7009');
  expect(readConfig({ ...env, TUNNEL_PORT: '7010' }, []).publicPorts).toEqual({ from: 7000, to: 7009 });
});

test('a single sign-on host must have https where the console has it', () => {
  const env = { SSO_URL: 'http://sso.example.com/sso', SSO_SECRET: '0123456789abcdef' };
  expect(readConfig(env, []).wechat).toMatchObject({ type: 'other-host' });
  expect(() => readConfig({ ...env, PUBLIC_URL: 'https://example.com' }, [])).toThrow('SSO_URL 也必须使用 https');
});

test('a value that breaks two rules of one setting is named once', () => {
  expect(() => readConfig({ MAPPING_PORTS: '30000' }, [])).toThrow(/^环境变量不正确：\n {2}MAPPING_PORTS：[^\n]*$/);
});
