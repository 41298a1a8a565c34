import type { ApiScope } from '@tongtu/contract';

/** A call that a scope allows and that does little harm; where it is about one thing, that is number 1. */
type Example = { method: 'GET' | 'PATCH' | 'POST'; path: string; body?: string };

/** Those that only look come first. */
const examples: Record<ApiScope, Example> = {
  'devices:read': { method: 'GET', path: '/api/user/routers/' },
  'records:read': { method: 'GET', path: '/api/user/verifications/' },
  'devices:write': { method: 'PATCH', path: '/api/user/routers/1/', body: '{"pinned":true}' },
  'mappings:write': { method: 'PATCH', path: '/api/user/records/1/', body: '{"remark":"NAS"}' },
  'access:write': { method: 'POST', path: '/api/user/records/1/verified_ip/' },
  'records:write': { method: 'PATCH', path: '/api/user/verifications/1/', body: '{"extend_hours":24}' },
};

/** The call that shows how a token with these scopes is used; a token has at least one. */
function exampleOf(scopes: readonly ApiScope[]): Example {
  const scope = Object.keys(examples).find((name): name is ApiScope => scopes.some((own) => own === name));
  return examples[scope ?? 'devices:read'];
}

/** How to try a token in a shell, on one line, and whether a number in it has to be put in first. */
export function exampleCall(origin: string, token: string, scopes: readonly ApiScope[]) {
  const { method, path, body } = exampleOf(scopes);
  const command = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H 'Authorization: Bearer ${token}'`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${body}'`]),
    `${origin}${path}`,
  ].join(' ');
  return { command, isAboutOne: method !== 'GET' };
}
