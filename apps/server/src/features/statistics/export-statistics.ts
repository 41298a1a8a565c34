import type { Statistics } from '@tongtu/contract';
import { BYTE_ORDER_MARK, csvLine } from '../../http/csv.ts';

const HEAD = [
  ...['时间（北京时间）', '上传字节', '下载字节', '请求数', '成功', '客户端错误', '服务器错误', '未完成'],
  ...['访客数', '网络数', '访客数是否精确', '首字节中位数（毫秒）', '首字节 95 分位（毫秒）'],
];
const BEIJING_MS = 8 * 3_600_000;

/** The points of a view as a CSV file. */
export async function* exportStatistics(points: Statistics['points']): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEAD);
  for (const point of points) {
    const at = new Date(Date.parse(point.at) + BEIJING_MS).toISOString().slice(0, 16).replace('T', ' ');
    const { bytes_in: bytesIn, bytes_out: bytesOut, client_errors: clientErrors, server_errors: serverErrors } = point;
    const counts = [bytesIn, bytesOut, point.requests, point.ok, clientErrors, serverErrors, point.failed];
    const times = [point.p50_ms, point.p95_ms].map((ms) => (ms === null ? '' : ms.toFixed(1)));
    const people = [String(point.visitors), String(point.networks), point.is_exact ? '是' : '否'];
    yield csvLine([at, ...counts.map(String), ...people, ...times]);
  }
}
