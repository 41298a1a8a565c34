import { AlertTarget, AppError } from '@tongtu/contract';
import { seal, unseal } from '../../../db/sealing.ts';
import type { SealedTarget } from '../channel-store.ts';
import { isHostRefused, type AllowedAddresses } from '../../../http/public-address.ts';
import { serverchanUrl } from '../providers/serverchan.ts';

const SHOWN_CHARACTERS = 4;
const MIN_HIDDEN_CHARACTERS = 4;

type Owner = { userId: number };
type TargetDeps = { sealingKey: Buffer; allowedAddresses: AllowedAddresses };

/** Throws alert.address-refused for an address to which `postMessage` would refuse to connect. */
export function sealTarget(deps: TargetDeps, { userId }: Owner, target: AlertTarget): SealedTarget {
  const url = urlOf(target);
  if (url && isHostRefused(url.hostname, deps.allowedAddresses)) throw new AppError('alert.address-refused');
  return {
    targetSealed: seal(deps.sealingKey, JSON.stringify(target), sealingPurpose(userId, target.kind)),
    hint: url ? hintOf(url) : '',
    hasSecret: 'secret' in target && Boolean(target.secret),
  };
}

export function unsealTarget(
  sealingKey: Buffer,
  { userId, kind, targetSealed }: Owner & Pick<SealedTarget, 'targetSealed'> & { kind: AlertTarget['kind'] },
): AlertTarget {
  return AlertTarget.parse(JSON.parse(unseal(sealingKey, targetSealed, sealingPurpose(userId, kind))));
}

function urlOf(target: AlertTarget): URL | undefined {
  if (target.kind === 'email') return undefined;
  return target.kind === 'serverchan' ? serverchanUrl(target.send_key) : new URL(target.url);
}

/** The host and the last characters of the key, or the host alone if the key is too short to hide the rest. */
function hintOf({ host, pathname, search }: URL): string {
  const key = (pathname + search).replace(/\.send$/, '').replaceAll(/[^\w-]/g, '');
  const isShort = key.length < SHOWN_CHARACTERS + MIN_HIDDEN_CHARACTERS;
  return isShort ? host : `${host} …${key.slice(-SHOWN_CHARACTERS)}`;
}

function sealingPurpose(userId: number, kind: AlertTarget['kind']): string {
  return `alert channel:${userId}:${kind}`;
}
