import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram, thisMachine } from '../../tools/testing/system-requirements.ts';
import { type HomeService, startService } from './service.ts';

const program = findProgram(thisMachine, 'docker-registry');
const blob = 'a small layer of an image';
const digest = `sha256:${createHash('sha256').update(blob).digest('hex')}`;

/** Each step of an upload is at the address that the answer before it names. */
export const registry: HomeService = {
  name: 'Docker Registry',
  missing: program === undefined ? 'apt-get install docker-registry' : undefined,
  start: async () =>
    await startService({
      program: program ?? '',
      async prepare({ folder, port }) {
        const file = path.join(folder, 'config.yml');
        const http = `http: {addr: "127.0.0.1:${port}", relativeurls: false}`;
        await writeFile(file, `version: 0.1\nlog: {level: error}\nstorage: {inmemory: {}}\n${http}\n`);
        return ['serve', file];
      },
    }),
  async use(visitor) {
    await visitor.get(200, 'GET', '/v2/');
    const begun = await visitor.get(202, 'POST', '/v2/home/test/blobs/uploads/');
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = await visitor.get(202, 'PATCH', visitor.pathOf(begun.headers.location), { headers, body: blob });
    const done = await visitor.get(201, 'PUT', `${visitor.pathOf(sent.headers.location)}&digest=${digest}`);
    const { text } = await visitor.get(200, 'GET', visitor.pathOf(done.headers.location));
    if (text !== blob) throw new Error(`the blob is ${text}`);
  },
};
