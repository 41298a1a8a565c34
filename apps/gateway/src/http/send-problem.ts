import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { errorCatalogue, type ErrorCode, type Problem } from '@tongtu/contract';

/** Answers with problem details (RFC 9457), in Chinese. `detail` replaces the sentence of the catalogue. */
export function sendProblem(response: ServerResponse, code: ErrorCode, detail?: string): void {
  const { status, zh } = errorCatalogue[code];
  const problem: Problem = {
    type: `urn:tongtu:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: detail ?? zh,
    code,
    request_id: randomUUID(),
  };
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/problem+json', 'content-language': 'zh-CN' });
  response.end(JSON.stringify(problem));
}
