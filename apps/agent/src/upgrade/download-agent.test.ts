import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { downloadAgent } from './download-agent.ts';

const agent = Buffer.from(Array.from({ length: 2_000 }, (_, index) => `line ${index * 7_919}`).join('\n'));
const packed = gzipSync(agent);
const HALF = Math.floor(packed.length / 2);
const quick = { silentMs: 5_000, pauseMs: 1, withinMs: 30_000 };

async function serve(onRequest: RequestListener): Promise<string> {
  const server = http.createServer(onRequest).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
}

test('a cut download goes on where it ended', async () => {
  const ranges: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    ranges.push(request.headers.range);
    if (request.headers.range === undefined) {
      response.writeHead(200, { etag: '"a"', 'content-length': packed.length });
      response.write(packed.subarray(0, HALF), () => response.destroy());
      return;
    }
    expect(request.headers['if-range']).toBe('"a"');
    response.writeHead(206, { 'content-range': `bytes ${HALF}-${packed.length - 1}/${packed.length}` });
    response.end(packed.subarray(HALF));
  });
  expect(await downloadAgent(url, quick)).toEqual(agent);
  expect(ranges).toEqual([undefined, `bytes=${HALF}-`]);
});

test('of a file that was replaced meanwhile it takes the new one from its beginning', async () => {
  let requests = 0;
  const url = await serve((_request, response) => {
    if (requests++ === 0) {
      response.writeHead(200, { etag: '"a"' });
      response.write('something older', () => response.destroy());
      return;
    }
    response.writeHead(200, { etag: '"b"' }).end(packed);
  });
  expect(await downloadAgent(url, quick)).toEqual(agent);
});

test('it takes as long as bytes arrive', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { etag: '"a"' });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(packed.subarray(sent, (sent += Math.ceil(packed.length / 10))));
      if (sent < packed.length) return;
      clearInterval(timer);
      response.end();
    }, 100);
  });
  expect(await downloadAgent(url, { ...quick, silentMs: 600 })).toEqual(agent);
});

test('a server that sends nothing is given up after some tries', async () => {
  const url = await serve(() => {});
  await expect(downloadAgent(url, { ...quick, silentMs: 30 })).rejects.toThrow('timeout');
});

test('a download that brings a few bytes each time ends all the same', async () => {
  const url = await serve((request, response) => {
    const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    if (from === undefined) response.writeHead(200, { etag: '"a"' });
    else response.writeHead(206, { 'content-range': `bytes ${from}-999999/1000000` });
    response.write('x', () => response.destroy());
  });
  await expect(downloadAgent(url, { ...quick, withinMs: 500 })).rejects.toThrow('too-slow');
});

test('from an older server it takes the file that is not packed', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/agent/tongtu-agent.mjs') response.end(agent);
    else response.writeHead(404).end();
  });
  expect(await downloadAgent(url, quick)).toEqual(agent);
});

test('a refusal is not tried again', async () => {
  let requests = 0;
  const url = await serve((_request, response) => {
    requests++;
    response.writeHead(403).end();
  });
  await expect(downloadAgent(url, quick)).rejects.toThrow('status_403');
  expect(requests).toBe(1);
});

test('a small file that unpacks to an endless one is refused', async () => {
  const url = await serve((_request, response) => response.end(gzipSync(Buffer.alloc(20_000_000))));
  await expect(downloadAgent(url, quick)).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
});
