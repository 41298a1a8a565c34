/**
 * `sso_step` carries `{ state }`, the hash of the state; `device_changed` carries `{ deviceId, version }`, `live` carries
 * `{ userId?, topic }`, the others carry nothing.
 */
export type Channel = 'sso_step' | 'device_changed' | 'live' | 'edge_changed' | 'session_ended';
