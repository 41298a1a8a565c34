import { expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { request } from './support/clients/http-request.ts';
import { startProduct } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

test('devices receive the public address, and the device of this machine does not need it', async () => {
  const env = {
    RELAY_PROCESSES: '2',
    HOST: '127.0.0.1',
    TUNNEL_HOST: 'tunnel.invalid',
    TUNNEL_PUBLIC_PORT: '443',
    LOG_LEVEL: 'info',
  };
  await using product = await startProduct({ env });
  const client = new ApiClient(product);
  await client.logIn();

  const { device } = await client.waitForWelcomeDevice();
  const bootstrap = await request({ port: product.ports.http, path: '/api/agent/bootstrap/' });

  expect(device.online).toBe(true);
  expect(JSON.parse(String(bootstrap.body))).toMatchObject({ tunnel_host: 'tunnel.invalid', tunnel_port: 443 });
  await waitFor('both relays have it', 30_000, () => {
    return (product.child.output.match(/"msg":"device connected"/g)?.length ?? 0) >= 2;
  });
});
