import type { Device, Mapping } from '@tongtu/contract';
import { initialOptions, optionsToFields } from '@tongtu/contract/mapping-options';

/** A device as the API returns it, with the given fields. */
export function deviceOf(given: Partial<Device> = {}): Device {
  return {
    id: 7,
    uid: '3f9a1c22b07e',
    name: '家里的群晖',
    pinned: false,
    group: '',
    online: true,
    state: 'online',
    state_since: null,
    suspended: false,
    offline_reason: null,
    public_ip: '',
    relays: { connected: 1, running: 1 },
    lossy_line: null,
    agent_version: '',
    agent_upgrade: null,
    program: 'agent',
    platform: '',
    server: { id: 1, name: '', suffix: 'localhost' },
    allow_list: [],
    bandwidth_bps: null,
    mapping_limit: 500,
    alerts_enabled: true,
    mappings: [],
    plan: null,
    created_at: '2026-11-01T00:00:00.000Z',
    ...given,
  };
}

/** A web mapping with a policy that verifies visitors, with the given fields. */
export function mappingOf(given: Partial<Mapping> = {}): Mapping {
  return {
    id: 3,
    router: 7,
    kind: 'http',
    prefix: 'nas',
    custom_domain: null,
    port: null,
    domain: 'nas.localhost',
    url: 'http://nas.localhost/',
    target: 'http://192.168.1.10:5000',
    ...optionsToFields(initialOptions),
    policy: 'owner',
    has_password: false,
    opens_at: null,
    closes_at: null,
    hours: null,
    remark: '',
    enabled: true,
    over_plan_limit: false,
    pinned: false,
    dns: null,
    certificate: null,
    usage_24h: { bytes_in: 0, bytes_out: 0, requests: 0 },
    frpc_proxy: null,
    created_at: '2026-11-01T00:00:00.000Z',
    ...given,
  };
}
