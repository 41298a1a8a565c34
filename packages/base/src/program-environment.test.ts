import { expect, test } from 'vitest';
import { nodeEnvironment, programEnvironment } from './program-environment.ts';

const system = { PATH: '/bin', HOME: '/root', LC_ALL: 'C.UTF-8', TZ: 'Asia/Shanghai', LD_LIBRARY_PATH: '/lib' };
const node = { NODE_OPTIONS: '--trace-warnings', NODE_EXTRA_CA_CERTS: '/ca.pem', UV_THREADPOOL_SIZE: '2' };
const settings = {
  ...{ ADMIN_PASSWORD: 'a', DATABASE_URL: 'b', SMTP_URL: 'c', ALIPAY_PRIVATE_KEY_FILE: 'd', TONGTU_TOKEN: 'e' },
  ...{ PGPASSWORD: 'f', AWS_SECRET_ACCESS_KEY: 'g', HTTPS_PROXY: 'http://user:password@proxy' },
};

test('another program gets what belongs to the system, and no setting', () => {
  expect(programEnvironment({ ...system, ...node, ...settings })).toEqual(system);
});

test('a program of Node.js gets what belongs to Node.js as well', () => {
  expect(nodeEnvironment({ ...system, ...node, ...settings })).toEqual({ ...system, ...node });
});
