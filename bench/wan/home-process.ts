/**
 * The service in the home's LAN, on loopback: `node home-process.ts <port>`. `/1k`, `/20m`, `/p/<n>` for the objects of a
 * page, `/steady` for an endless download at 1 MB/s whose bytes can be checked, and at any path a WebSocket that echoes.
 */
import { createServer, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { objectBytes, steadyBytes, STEADY_BYTES_PER_SECOND } from './content.ts';

const STEADY_EVERY_MS = 50;
const small = Buffer.alloc(1024, 'x');
const large = Buffer.alloc(20 * 1024 * 1024, 'x');

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const { url = '' } = request;
  response.setHeader('content-type', 'application/octet-stream');
  if (url === '/1k') response.end(small);
  else if (url === '/20m') response.end(large);
  else if (url === '/steady') sendSteadily(response);
  else if (url.startsWith('/p/')) response.end(Buffer.alloc(objectBytes(Number(url.slice(3))), 'x'));
  else response.writeHead(404).end();
});
new WebSocketServer({ server }).on('connection', (socket) => {
  socket.on('error', () => {}); // 'close' follows
  socket.on('message', (data) => socket.send(data));
});
server.listen(Number(process.argv[2]), '127.0.0.1');

/** A stalled line delays what follows; nothing is caught up at a higher rate. */
function sendSteadily(response: ServerResponse): void {
  const chunkBytes = (STEADY_BYTES_PER_SECOND * STEADY_EVERY_MS) / 1000;
  let sent = 0;
  const timer = setInterval(() => {
    if (response.writableNeedDrain) return;
    response.write(steadyBytes(sent, chunkBytes));
    sent += chunkBytes;
  }, STEADY_EVERY_MS);
  response.on('close', () => clearInterval(timer));
}
