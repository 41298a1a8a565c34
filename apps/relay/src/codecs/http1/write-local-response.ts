import type { LocalResponse } from '../http/local-response.ts';
import type { HttpDate } from '../http/http-date.ts';
import type { RequestHead } from '../http/request-head.ts';

export type LocalResponseOptions = {
  /** Undefined when it could not be read. */
  request: RequestHead | undefined;
  keepAlive: boolean;
  date: HttpDate;
};

/** A complete local response as HTTP/1.1. */
export function writeLocalResponse(
  { status, fields, body }: LocalResponse,
  { request, keepAlive, date }: LocalResponseOptions,
): Buffer {
  let head = `HTTP/1.1 ${status} ${reasons[status] ?? ''}\r\n`;
  for (const [name, value] of fields) head += `${name}: ${value}\r\n`;
  head += `Content-Length: ${body.length}\r\nDate: ${date.text}\r\n`;
  if (!keepAlive) head += 'Connection: close\r\n';
  else if (request?.version === 10) head += 'Connection: keep-alive\r\n';
  const bytes = Buffer.from(`${head}\r\n`, 'latin1');
  return request?.method === 'HEAD' ? bytes : Buffer.concat([bytes, body]);
}

const reasons: Record<number, string> = {
  200: 'OK',
  302: 'Found',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  508: 'Loop Detected',
};
