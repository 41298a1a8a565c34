import path from 'node:path';
import { AppError } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mount } from '../../http/mount.ts';
import { createCachedFile, type FileContent } from './cached-file.ts';
import { createPackedFile, type PackedFile } from './packed-file.ts';
import { fillInstallScript } from './fill-install-script.ts';
import { readScript } from './read-script.ts';
import { registerRuntimes } from './runtimes/runtime-routes.ts';
import type { Runtimes } from './runtimes/runtimes.ts';
import { hostNameOf, serverUrlFor } from './server-url.ts';

export type AgentDownloadsDeps = {
  publicUrl: string;
  runtimes: Pick<Runtimes, 'find'>;
  /** A device takes the first steps of an installation. */
  noteDownload: (kind: 'script' | 'agent', ip: string) => void;
  /** The built single-file agent. The parts of the install scripts are in `install/` beside its folder. */
  agentFile: string;
  version: string;
  /** Signs agents for upgrades. */
  upgradeKey: string;
  tunnel: { host: string | undefined; port: number; pin: string; protocol: number };
};

/** Serves what a new device needs: the agent, its install script, Node.js where it has none, and the relays' address. */
export function registerAgentDownloads(app: FastifyInstance, deps: AgentDownloadsDeps): void {
  const agentFile = createCachedFile(deps.agentFile);
  const installFolder = path.resolve(path.dirname(deps.agentFile), '../install');
  registerRuntimes(app, deps.runtimes);
  const serverUrl = (req: FastifyRequest) => serverUrlFor({ protocol: req.protocol, host: req.host }, deps.publicUrl);

  mount(app, 'GET /api/agent/bootstrap/', { login: 'optional' }, async ({ req }) => ({
    protocol: deps.tunnel.protocol,
    tunnel_host: deps.tunnel.host ?? hostNameOf(serverUrl(req)),
    tunnel_port: deps.tunnel.port,
    relay_pin: deps.tunnel.pin,
    upgrade_key: deps.upgradeKey,
    agent_version: deps.version,
    agent_sha256: (await agentFile())?.sha256 ?? '',
  }));
  app.get('/agent/tongtu-agent.mjs', async (req, reply) => {
    const { bytes, sha256 } = requireFile(await agentFile());
    deps.noteDownload('agent', req.ip);
    return sendText(req, reply, { type: 'text/javascript', body: bytes, etag: `"${sha256}"` });
  });
  const packedAgent = createPackedFile(agentFile);
  // For agents that upgrade.
  app.get('/agent/tongtu-agent.mjs.gz', async (req, reply) => {
    const packed = await packedAgent();
    if (packed === undefined) throw new AppError('request.not-found');
    return sendFrom(req, reply, packed);
  });
  const scripts = { 'install.sh': 'text/x-shellscript', 'install.ps1': 'text/plain' };
  for (const [name, type] of Object.entries(scripts)) {
    app.get(`/agent/${name}`, async (req, reply) => {
      const template = await readScript(installFolder, path.extname(name));
      const { sha256 } = requireFile(await agentFile());
      deps.noteDownload('script', req.ip);
      const body = fillInstallScript(template, { serverUrl: serverUrl(req), agentSha256: sha256 });
      return sendText(req, reply, { type, body, etag: undefined });
    });
  }
}

function requireFile(file: FileContent | undefined): FileContent {
  if (!file) throw new AppError('request.not-found');
  return file;
}

type Text = { type: string; body: Buffer | string; etag: string | undefined };

function sendText(req: FastifyRequest, reply: FastifyReply, { type, body, etag }: Text): FastifyReply {
  reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`);
  if (etag !== undefined) {
    reply.header('etag', etag);
    if (req.headers['if-none-match'] === etag) return reply.code(304).send();
  }
  return reply.send(body);
}

/** Sends a file, or what a cut download lacks: a range without end (RFC 9110 §14), if the file is the same one. */
function sendFrom(req: FastifyRequest, reply: FastifyReply, { bytes, etag }: PackedFile): FastifyReply {
  reply
    .header('cache-control', 'no-cache')
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
    .type('application/gzip');
  const from = Number(/^bytes=(\d{1,15})-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
  const isSame = (req.headers['if-range'] ?? etag) === etag;
  if (from === 0 || from >= bytes.length || !isSame) return reply.send(bytes);
  reply.code(206).header('content-range', `bytes ${from}-${bytes.length - 1}/${bytes.length}`);
  return reply.send(bytes.subarray(from));
}
