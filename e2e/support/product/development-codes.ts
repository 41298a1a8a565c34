import { request } from '../clients/http-request.ts';
import type { Product } from './product.ts';
import { waitFor } from '../wait-for.ts';

const SENT_WITHIN_MS = 30_000;

/** Shows codes to developers and tests. */
export const developmentCodes = { DEVELOPMENT_CODES: 'on' };

/** The latest code for an address that is none of those `known`; from the development page. */
export async function readCode(product: Product, address: string, known: readonly string[] = []): Promise<string> {
  return await waitFor(`a code for ${address}`, SENT_WITHIN_MS, async () => {
    const page = (await request({ port: product.ports.http, path: '/dev/codes' })).body.toString();
    const rows = page.split('<tr>').filter((row) => row.includes(`>${address}<`));
    const codes = rows.map((row) => /<code>(\d{6})<\/code>/.exec(row)?.[1] ?? '');
    return codes.find((code) => code !== '' && !known.includes(code));
  });
}
