import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrpcAccount } from '@tongtu/contract';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import { createPerson } from '../../e2e/support/person.ts';
import type { Product } from '../../e2e/support/product/product.ts';
import { waitFor } from '../../e2e/support/wait-for.ts';
import { Children } from '../support/children.ts';
import type { Bench } from '../support/open-bench.ts';
import { relayMemory } from '../support/relay-memory.ts';
import type { Line } from '../support/report.ts';

/** Each frpc is a process, and an account has at most 50 of them. */
const DEVICES_PER_ACCOUNT = 40;
const ACCOUNTS = 5;
const CONNECTED_WITHIN_MS = 60_000;
/** Longer than a quiet relay keeps the garbage of logins: V8 collects it about a minute later. */
const SETTLES_MS = 90_000;

/**
 * The relay's memory for each idle frpc, and with it what the first of them costs once. Without FRP_DIR there is nothing to
 * measure.
 */
export async function measureIdleFrpc({ product }: Bench): Promise<Line[]> {
  const { FRP_DIR: frpDir } = process.env;
  if (!frpDir) return [];
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-idle-frpc-'));
  await using children = new Children();

  async function connectAll(account: string): Promise<void> {
    await createPerson(product, { account });
    const client = new ApiClient(product);
    await client.logIn(account);
    const { toml } = (await client.call('POST', '/api/user/frpc_account/')).json as FrpcAccount; // the API's schema
    for (let n = 0; n < DEVICES_PER_ACCOUNT; n++) {
      const file = path.join(dir, `${account}${n}.toml`);
      // Each is a device of its own by the word after the account.
      await writeFile(file, toml.replace(/^user = "([^".]+)[^"]*"/m, `user = "$1.d${n}"`));
      children.start(path.join(frpDir ?? '', 'frpc'), ['-c', file]);
    }
    await waitFor(`the devices of ${account} are online`, CONNECTED_WITHIN_MS, async () => {
      return (await client.devices()).filter(({ online }) => online).length === DEVICES_PER_ACCOUNT;
    });
  }

  const beforeBytes = await settledMemory(product);
  for (let n = 0; n < ACCOUNTS; n++) await connectAll(`home${n}`);
  const count = ACCOUNTS * DEVICES_PER_ACCOUNT;
  const perDeviceKb = ((await settledMemory(product)) - beforeBytes) / 1024 / count;
  return [{ name: `relay memory for each of ${count} idle frpc`, unit: 'KB', target: '≤ 64', values: [perDeviceKb] }];
}

async function settledMemory(product: Product): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, SETTLES_MS));
  return await relayMemory(product);
}
