import { AlertTarget, AppError } from '@tongtu/contract';
import { seal, unseal } from '../../../db/sealing.ts';
import type { SealedTarget } from '../channel-store.ts';
import { isHostRefused, type AllowedAddresses } from '../../../http/public-address.ts';
import { serverchanUrl } from '../providers/serverchan.ts';

const SHOWN_LETTERS = 4;
const LEAST_HIDDEN_LETTERS = 4;

type Owner = { userId: number };
type TargetDeps = { sealingKey: Buffer; allowedAddresses: AllowedAddresses };

/** Throws alert.address-refused for an address that no message would be sent to. */
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

/** The host and the last letters of the key, unless they would be most of it. */
function hintOf({ host, pathname, search }: URL): string {
  const letters = (pathname + search).replace(/\.send$/, '').replaceAll(/[^\w-]/g, '');
  const isShort = letters.length < SHOWN_LETTERS + LEAST_HIDDEN_LETTERS;
  return isShort ? host : `${host} …${letters.slice(-SHOWN_LETTERS)}`;
}

function sealingPurpose(userId: number, kind: AlertTarget['kind']): string {
  return `alert channel:${userId}:${kind}`;
}
