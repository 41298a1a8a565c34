// Runs fake payment services for development: `npm run fake-payments -- --port 8899 --folder data/fake-payments`.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadFakeKeys, startFakePayments, writeServerEnvironment } from '@tongtu/server/testing/payments';

const RETRY_DELAYS_MS = [2_000, 10_000, 60_000];
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8899' },
    folder: { type: 'string', default: 'data/fake-payments' },
  },
});
const folder = path.resolve(values.folder);
const nodeEnv = process.env['NODE_ENV'];
// Before the keys are written: the start below refuses as well.
if (nodeEnv === 'production') {
  console.error('NODE_ENV=production 时不能启动支付的替身');
  process.exit(1);
}
const keys = await loadFakeKeys(folder);
const fakes = await startFakePayments({ port: Number(values.port), keys, retryDelaysMs: RETRY_DELAYS_MS, nodeEnv });
const environment = await writeServerEnvironment(folder, keys, fakes.url);
console.log(`支付宝和微信支付的替身已启动：${fakes.url}（付款都不是真的，记录在停止后丢失）`);
console.log(`  另开一个终端启动服务：set -a; . ${environment}; set +a; npm start`);
console.log('  按 Ctrl+C 停止');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void fakes[Symbol.asyncDispose]());
