import type { CloudApp, CloudAppOpened } from '@tongtu/contract';

/** One of the user's own cloud apps, with the given fields. */
export function appOf(given: Partial<CloudApp> = {}): CloudApp {
  return {
    id: 5,
    router: 7,
    kind: 'ssh',
    name: '群晖终端',
    host: '192.168.1.10',
    port: 22,
    options: {
      username: 'admin',
      domain: '',
      path: '',
      encoding: 'utf-8',
      name_encoding: 'auto',
      tls: false,
      mac: '',
      old_algorithms: false,
    },
    has_password: false,
    has_private_key: false,
    has_passphrase: false,
    host_key: null,
    wake_times: [],
    needs_second_factor: false,
    enabled: true,
    is_own: true,
    owner: 'li',
    router_name: '家里的群晖',
    router_online: true,
    member_count: 0,
    created_at: '2026-11-01T00:00:00.000Z',
    ...given,
  };
}

export function openedOf(id: number, given: Partial<CloudApp> = {}): CloudAppOpened {
  return { id, path: `/apps/${id}/`, is_resumed: false, app: appOf(given) };
}
