import { MAX_EXPORTED_KEYS, type ProductKeyStatus } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { recordAuditEntry, type AuditActor } from '../audit/index.ts';
import { BYTE_ORDER_MARK, csvLine, csvText } from '../../http/csv.ts';
import { countKeys, type KeyFilter, type ListedKey, listKeys } from './key-list-store.ts';
import { openIfUsable } from './key-replies.ts';
import type { KeySecrets } from './key-secret.ts';

const PORTION = 1_000;
const HEAD = [
  ...['兑换码', '末五位', '套餐', '天数', '面值（元）', '渠道', '批次', '状态', '备注'],
  ...['生成时间（UTC）', '过期时间（UTC）', '兑换时间（UTC）'],
];
const STATUS_TEXT: Record<ProductKeyStatus, string> = {
  unused: '未使用',
  issued: '已发放',
  redeemed: '已兑换',
  void: '已作废',
  expired: '已过期',
};

export type ExportDeps = { db: Db; secrets: KeySecrets; maxKeys?: number };

/**
 * The lines of a CSV file with the newest keys of the filter. The audit log says who has taken them along; `asked` is what it
 * says of the filter.
 */
export async function exportKeys(
  deps: ExportDeps,
  { filter, asked }: { filter: KeyFilter; asked: Record<string, unknown> },
  actor: AuditActor,
): Promise<AsyncIterable<string>> {
  const { db, maxKeys = MAX_EXPORTED_KEYS } = deps;
  const count = Math.min(await countKeys(db, filter), maxKeys);
  const object = { type: 'product-key', id: null, name: String(count) };
  await recordAuditEntry(db, actor, { action: 'product-keys.exported', object, after: { ...asked, count } });
  return writeLines(deps, filter);
}

/** Reads portion by portion, each in a query of its own: a slow download holds no connection to the database. */
async function* writeLines(
  { db, secrets, maxKeys = MAX_EXPORTED_KEYS }: ExportDeps,
  filter: KeyFilter,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEAD);
  let left = maxKeys;
  let beforeId: number | undefined;
  while (left > 0) {
    const limit = Math.min(PORTION, left);
    const keys = await listKeys(db, filter, { limit, offset: 0, ...(beforeId !== undefined && { beforeId }) });
    if (keys.length > 0) yield keys.map((key) => lineOf(secrets, key)).join('');
    if (keys.length < limit) return;
    left -= keys.length;
    beforeId = keys.at(-1)?.id;
  }
}

function lineOf(secrets: KeySecrets, key: ListedKey): string {
  return csvLine([
    openIfUsable(secrets, key) ?? '',
    csvText(key.hint),
    key.productName,
    String(key.days),
    yuanOf(key.priceFen),
    key.placeName ?? '',
    String(key.batchId),
    STATUS_TEXT[key.status],
    key.note,
    ...[key.createdAt, key.expiresAt, key.redeemedAt].map((time) => timeOf(time)),
  ]);
}

function yuanOf(fen: number): string {
  return `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`;
}

/** Without the T and the Z, so that a spreadsheet takes it for a time. */
function timeOf(time: Date | null): string {
  return time === null ? '' : time.toISOString().slice(0, 19).replace('T', ' ');
}
