import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { startFakePayments } from './testing/index.ts';
import type { ShopTask } from '../../testing/killed-shop/shop-process.ts';
import type { Buyer, ShopConfig } from '../../testing/killed-shop/shop.ts';

const script = new URL('../../testing/killed-shop/shop-process.ts', import.meta.url);
const pem = { pkcs8: { type: 'pkcs8', format: 'pem' }, spki: { type: 'spki', format: 'pem' } } as const;

class ShopProcess implements AsyncDisposable {
  readonly #child: ChildProcess;

  constructor(config: ShopConfig) {
    this.#child = fork(script, [JSON.stringify(config)], { execArgv: [] });
  }

  async run(task: ShopTask): Promise<unknown> {
    this.#child.send(task);
    const ended = once(this.#child, 'exit').then(() => [{ error: 'the process has ended' }]);
    const [{ result, error }] = await Promise.race([once(this.#child, 'message'), ended]);
    if (error !== undefined) throw new Error(error);
    return result;
  }

  /** Kills the process with SIGKILL, and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

test('a process that is killed before any step of paying and redeeming loses and doubles nothing', async () => {
  await using t = await openTestDb();
  await using fakes = await startFakePayments();
  const { privateKey, alipayPublicKey, ...account } = fakes.config.alipay;
  const keys = {
    privateKey: privateKey.export(pem.pkcs8).toString(),
    alipayPublicKey: alipayPublicKey.export(pem.spki).toString(),
  };
  const config = { databaseUrl: t.url, alipay: { ...account, ...keys } };

  await using killed = new ShopProcess(config);
  const insert = async (count: number) => (await killed.run({ task: 'insert', count })) as Buyer[];
  const untroubled = await insert(1);
  const [steps = []] = (await killed.run({ task: 'buy', buyers: untroubled, stopAt: [] })) as string[][];
  const buyers = await insert(steps.length);
  await killed.run({ task: 'buy', buyers, stopAt: steps.map((_, n) => n) });
  await killed[Symbol.asyncDispose]();

  await using restarted = new ShopProcess(config);
  const recovered = await restarted.run({ task: 'recover', buyers: [...untroubled, ...buyers] });
  const { states, problems } = recovered as { states: unknown[]; problems: string[] };

  expect(steps.filter((step) => step === 'commit')).toHaveLength(4); // of order, payment, received money, key
  expect(steps).toContain('the provider has created the payment');
  expect(states[0]).toMatchObject({
    orders: [
      ['key', 'paid', 0, 0, true],
      ['new', 'paid', 2_600, 0, true],
    ],
    payments: [['paid', true, 2_600, 0]],
    refunds: 0,
    plans: [
      [true, '365 days'],
      [null, '365 days'],
    ],
    keys: [['redeemed', true]],
    audit: ['product-key.redeemed'],
    failures: 0,
  });
  for (const [n, step] of steps.entries()) expect([step, states[n + 1]]).toEqual([step, states[0]]);
  expect(problems).toEqual([]);
  expect(fakes.alipay.list().map(({ trade }) => trade.payments.length)).toEqual(buyers.concat(untroubled).map(() => 1));
});
