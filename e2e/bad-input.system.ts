import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { testApi } from './bad-input/api.ts';
import { testGate } from './bad-input/gate.ts';
import { testHttp } from './bad-input/http.ts';
import type { Stage } from './bad-input/stage.ts';
import { testTunnel } from './bad-input/tunnel.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { startProduct, type Product } from './support/product/product.ts';

/** Bad input at each of the product's doors. One product meets it all, and works afterwards. */
let product: Product;
let stage: Stage;

beforeAll(async () => {
  product = await startProduct();
  const client = new ApiClient(product);
  await client.logIn();
  stage = { product, client, ...(await client.waitForWelcomeDevice()) };
});

afterAll(() => product?.[Symbol.asyncDispose]());

beforeEach(() => saveLogOnFailure('bad-input', product.child));

describe('calls', () => {
  testApi(() => stage);
});

describe('the gate', () => {
  testGate(() => stage);
});

describe('HTTP', () => {
  testHttp(() => stage);
});

describe('the tunnel', () => {
  testTunnel(() => stage);
});
