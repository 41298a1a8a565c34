import type { Device, Mapping } from '@tongtu/contract';
import type { ApiClient } from '../support/clients/api-client.ts';
import type { Product } from '../support/product/product.ts';

/** What the tests of this folder share: the product with the device of this machine, and its owner. */
export type Stage = { product: Product; client: ApiClient; device: Device; welcome: Mapping };
