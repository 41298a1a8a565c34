import type { ApiScope } from '@tongtu/contract';

/** A harmless call for each scope. A call that needs an id has id 1. */
type Example = { method: 'GET' | 'PATCH' | 'POST'; path: string; body?: string };

/** Scopes that only read come first. */
const examples: Record<ApiScope, Example> = {
  'devices:read': { method: 'GET', path: '/api/user/routers/' },
  'records:read': { method: 'GET', path: '/api/user/verifications/' },
  'devices:write': { method: 'PATCH', path: '/api/user/routers/1/', body: '{"pinned":true}' },
  'mappings:write': { method: 'PATCH', path: '/api/user/records/1/', body: '{"remark":"NAS"}' },
  'access:write': { method: 'POST', path: '/api/user/records/1/verified_ip/' },
  'records:write': { method: 'PATCH', path: '/api/user/verifications/1/', body: '{"extend_hours":24}' },
};

/** The example call for a token with these scopes, of which there is at least one. */
function exampleOf(scopes: readonly ApiScope[]): Example {
  const scope = Object.keys(examples).find((name): name is ApiScope => scopes.some((own) => own === name));
  return examples[scope ?? 'devices:read'];
}

/** A shell command of one line, and whether the user must replace an id in it. */
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
