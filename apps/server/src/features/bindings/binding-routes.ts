import { randomBytes } from 'node:crypto';
import { isPrivateAddress, networkOf } from '@tongtu/base';
import { AppError, type BindingOffer, withoutHiddenCharacters } from '@tongtu/contract';
import { keyFingerprint } from '@tongtu/tunnel';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { mount } from '../../http/mount.ts';
import { useTokenSign } from '../users/index.ts';
import { confirmBinding, findConfirmer, findPendingRequest, insertBinding } from './binding-store.ts';

type BindingDeps = {
  db: Db;
  /** The place of an address in Chinese; empty when unknown. */
  placeOf: (ip: string) => string;
};

const CODE_BYTES = 16;
const MAX_NAME_LENGTH = 40;

/** Adding a device by a link of its agent (adr/0020). */
export function registerBindingRoutes(app: FastifyInstance, { db, placeOf }: BindingDeps): void {
  mount(app, 'POST /api/agent/binding/', { login: 'optional' }, async ({ body, req }) => {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const expiresAt = await insertBinding(db, { codeHash: hashSecret(code), ...deviceOf(body), ip: req.ip });
    return { code, expires_at: expiresAt.toISOString() };
  });
  mount(app, 'GET /api/agent/binding/', { login: 'optional' }, async ({ query }) => {
    const found = await findConfirmer(db, hashSecret(query.code));
    if (found === undefined) return { state: 'ended', account: '' };
    const { username } = found;
    return username === null ? { state: 'pending', account: '' } : { state: 'confirmed', account: maskName(username) };
  });
  mount(app, 'GET /api/user/binding/', { login: 'required' }, async ({ query, req }) => {
    const pending = await findPendingRequest(db, hashSecret(query.code));
    if (!pending) throw new AppError('binding.not-found');
    const { name, platform, agentVersion, publicKey, ip, expiresAt } = pending;
    return {
      name,
      platform,
      agent_version: agentVersion,
      fingerprint: keyFingerprint(publicKey.toString('base64url')),
      ip,
      place: placeOf(ip),
      is_same_network: isSameNetwork(ip, req.ip),
      expires_at: expiresAt.toISOString(),
    };
  });
  mount(app, 'POST /api/user/binding/', { login: 'required' }, async ({ body, session }) => {
    await db.transaction().execute(async (tx) => {
      const owner = await useTokenSign(tx, `tb_${body.token_id}.${body.sign}`);
      if (owner !== session.userId) throw new AppError('enrolment.token-invalid');
      if (!(await confirmBinding(tx, hashSecret(body.code), owner))) throw new AppError('binding.not-found');
    });
    return { ok: true };
  });
}

/** The same network as the server sees it: the same public network, or both inside the server's own network. */
function isSameNetwork(ip: string, other: string): boolean {
  return networkOf(ip) === networkOf(other) || (isPrivateAddress(ip) && isPrivateAddress(other));
}

function deviceOf({ public_key, name, platform, agent_version }: BindingOffer) {
  const publicKey = Buffer.from(public_key, 'base64url');
  // Node.js ignores invalid characters, so the text must equal the encoding of its bytes.
  if (publicKey.toString('base64url') !== public_key) throw new AppError('request.invalid');
  const cleanText = (text: string) => [...withoutHiddenCharacters(text)].slice(0, MAX_NAME_LENGTH).join('');
  return { publicKey, name: cleanText(name), platform: cleanText(platform), agentVersion: cleanText(agent_version) };
}

/** Masks the name: its owner recognises the account, and others who have the link learn no more. */
function maskName(username: string): string {
  const letters = [...username];
  return letters.length <= 2 ? `${letters[0] ?? ''}*` : `${letters[0]}***${letters.at(-1)}`;
}
