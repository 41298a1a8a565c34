import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Product } from './product.ts';

const SOCKET_DIR_LINE = 4; // of postmaster.pid: pid, folder, start time, port, socket folder

/** Opens the product's own database beside the product, for what no call of the product can bring about in a test. */
export async function openDatabase(product: Product): Promise<pg.Client & AsyncDisposable> {
  const pidFile = await readFile(path.join(product.dataDir, 'postgres/postmaster.pid'), 'utf8');
  const socketDir = pidFile.split('\n')[SOCKET_DIR_LINE]?.trim();
  if (!socketDir) throw new Error('the database names no socket folder');
  const client = new pg.Client({ host: socketDir, user: 'app', database: 'postgres' });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** All browsers of the tests have one address: what some of them have used up must not count against the others. */
export async function forgetLimits(product: Product): Promise<void> {
  await using database = await openDatabase(product);
  await database.query('delete from rate_count');
}

export type Neighbour = { account: string; deviceId: number; mappingId: number; prefix: string };

/** Another account of the same service, with a device and a mapping; its password is the administrator's. */
export async function createNeighbour(
  product: Product,
  { account = 'neighbour', prefix = 'next-door' }: { account?: string; prefix?: string } = {},
): Promise<Neighbour> {
  await using database = await openDatabase(product);
  const { rows } = await database.query<{ device_id: number; mapping_id: number }>(
    `with person as (
       insert into user_account (username, password_hash)
       select $1, password_hash from user_account where username = 'admin' returning id
     ), machine as (
       insert into device (user_id, server_id, uid, public_key, name)
       select person.id, (select min(id) from server), $2, $3, '邻居的设备' from person returning id, server_id
     )
     insert into mapping (device_id, server_id, kind, prefix, target_host, target_port, policy)
     select id, server_id, 'http', $4, '127.0.0.1', 9, 'owner' from machine
     returning device_id, id as mapping_id`,
    [account, randomBytes(6).toString('hex'), randomBytes(32), prefix],
  );
  const [row] = rows;
  if (!row) throw new Error('the neighbour was not created');
  // As a call of the product would: the relays read the device anew.
  await database.query(`select pg_notify('device_changed', $1)`, [JSON.stringify({ deviceId: row.device_id })]);
  return { account, deviceId: row.device_id, mappingId: row.mapping_id, prefix };
}
