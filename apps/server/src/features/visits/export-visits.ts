import type { VisitOutcome, VisitWho } from '@tongtu/contract';
import { visitReasonText } from '@tongtu/contract/visit-reasons';
import type { Db } from '../../db/driver.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../http/csv.ts';
import { getOwnMapping } from '../mappings/index.ts';
import type { AskedVisits } from './list-visits.ts';
import { listVisitRows, type VisitFilter, type VisitRow } from './visit-list-store.ts';

const PORTION = 1_000;
const HEAD = [
  ...['时间（UTC）', 'IP', '地点', '访客', '名称', '结果', '原因', '方法', '路径', '状态码'],
  ...['上行字节', '下行字节', '毫秒', '浏览器标识'],
];
const WHO_TEXT: Record<VisitWho, string> = {
  owner: '所有者',
  member: '成员',
  share: '分享链接',
  password: '访问密码',
  mark_client: '放行程序',
  own_address: '允许当前网络',
  allow_list: '访问白名单',
  public: '公开访问',
  none: '未验证',
  unknown: '未知',
};
const OUTCOME_TEXT: Record<VisitOutcome, string> = {
  served: '完成',
  denied: '被拒绝',
  failed: '失败',
  aborted: '访客中断',
};

const SENT_TO_LOGIN = '待登录';

/** The lines of a CSV file with the visits that match. Throws mapping.not-found. */
export async function exportVisits(db: Db, { mappingId, userId, filter }: AskedVisits): Promise<AsyncIterable<string>> {
  const { visitLogDays: days } = await getOwnMapping(db, { mappingId, userId });
  return writeLines(db, { ...filter, mappingId, days });
}

/** Reads portion by portion, each in a query of its own: a slow download holds no connection to the database. */
async function* writeLines(db: Db, filter: VisitFilter): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEAD);
  let before: number | undefined;
  for (;;) {
    const rows = await listVisitRows(db, filter, { limit: PORTION, before });
    if (rows.length > 0) yield rows.map(lineOf).join('');
    if (rows.length < PORTION) return;
    before = rows.at(-1)?.id;
  }
}

function outcomeOf({ outcome, status }: VisitRow): string {
  return outcome === 'denied' && status === 302 ? SENT_TO_LOGIN : OUTCOME_TEXT[outcome];
}

function lineOf(row: VisitRow): string {
  return csvLine([
    // Without the T and the Z, so that a spreadsheet takes it for a time.
    row.at.toISOString().slice(0, 23).replace('T', ' '),
    ...[row.ip, row.place, WHO_TEXT[row.who], row.whoName, outcomeOf(row)],
    ...[visitReasonText(row.reason), row.method, row.path],
    ...[String(row.status ?? ''), String(row.bytesIn), String(row.bytesOut), String(row.ms), row.userAgent],
  ]);
}
