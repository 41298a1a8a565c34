import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export type ReadRequest = { path: string; headers: Record<string, string> };

/** Reads whole replies of the port in `workerData`, one for each message, and answers with their status. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
parentPort?.on('message', ({ path, headers }: ReadRequest) => {
  get({ host: '127.0.0.1', port: workerData as number, path, headers, agent }, (reply) => {
    reply.on('end', () => parentPort?.postMessage(reply.statusCode));
    reply.resume();
  });
});
