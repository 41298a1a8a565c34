/**
 * Measures the lists of orders and plans in a database with 100 000 orders: of staff with each filter, of an account with few
 * orders, and of one with a fiftieth of all. The calls are made without a socket, one after another. Prints a table, then
 * JSON; fails if a 95th percentile is above its target. `node bench/orders.ts [--orders n] [--calls n]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type MeasuredOrders, openMeasuredOrders } from '@tongtu/server/testing/orders';
import { type MeasuredCalls, measureCalls } from './support/measure-calls.ts';

const LIST_TARGET_MS = 100;

function managedLists(measured: MeasuredOrders, orders: number): Record<string, string> {
  const list = '/api/manage/orders/';
  const { buyerId, bigBuyerId, orderNumber, paymentNumber, refundNumber, transactionId } = measured;
  return {
    all: list,
    'all, 500 at once': `${list}?limit=500`,
    'all, far back': `${list}?offset=${orders / 2}`,
    'all, the oldest': `${list}?offset=${orders - 20}`,
    paid: `${list}?status=paid`,
    'open (none)': `${list}?status=open`,
    'refunded, far back': `${list}?status=refunded&offset=${orders / 20}`,
    'from keys': `${list}?kind=key`,
    'of bulk orders (none)': `${list}?kind=bulk`,
    'of a buyer': `${list}?user=${buyerId}`,
    'of a buyer with many': `${list}?user=${bigBuyerId}&status=paid`,
    'search for an order number': `${list}?search=${orderNumber}`,
    'search for a payment number': `${list}?search=${paymentNumber}`,
    'search for a transaction': `${list}?search=${transactionId}`,
    'search for a refund number': `${list}?search=${refundNumber}`,
    'search for a name': `${list}?search=big-buyer`,
    'search for a part of most names': `${list}?search=${encodeURIComponent('买家')}`,
    'search without a result': `${list}?search=nothing`,
  };
}

function ownLists({ orderId }: MeasuredOrders): Record<string, string> {
  const list = '/api/user/product/orders/';
  return {
    'own orders': list,
    'own orders, 500 at once': `${list}?limit=500`,
    'own orders, far back': `${list}?offset=1000`,
    'own plans': '/api/user/product/plans/?limit=500',
    'own paid plans': '/api/user/product/orders-nonfree-valid/?limit=500',
    'own paid plans without a device': '/api/user/product/orders-nonfree-valid/?unbound=true',
    'own paid plans of a device': `/api/user/product/orders-nonfree-valid/?router=${orderId}`,
  };
}

async function measureLists(
  { app }: MeasuredOrders,
  { who, userId, calls }: { who: string; userId: number; calls: number },
  lists: Record<string, string>,
): Promise<MeasuredCalls[]> {
  const browser = await app.browserOf(userId);
  const results = [];
  for (const [name, path] of Object.entries(lists))
    results.push(await measureCalls(`${who}: ${name}`, calls, () => browser.call('GET', path)));
  return results;
}

const { values } = parseArgs({ options: { orders: { type: 'string' }, calls: { type: 'string' } } });
const orderCount = Number(values.orders ?? 100_000);
const calls = Number(values.calls ?? 40);
const dir = await mkdtemp(join(tmpdir(), 'tongtu-bench-'));
try {
  await using measured = await openMeasuredOrders(join(dir, 'postgres'), orderCount);
  const { staffId, buyerId, bigBuyerId } = measured;
  const results = [
    ...(await measureLists(measured, { who: 'staff', userId: staffId, calls }, managedLists(measured, orderCount))),
    ...(await measureLists(measured, { who: 'buyer', userId: buyerId, calls }, ownLists(measured))),
    ...(await measureLists(measured, { who: 'big buyer', userId: bigBuyerId, calls }, ownLists(measured))),
  ];
  console.table(results);
  console.log(JSON.stringify({ orderCount, calls, results }));
  if (results.some(({ p95Ms }) => p95Ms > LIST_TARGET_MS)) process.exitCode = 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
