/** Reads the host from a Host field or a typed domain: `NAS.example.com.:8080` is `nas.example.com`. Empty when invalid. */
export function readHost(domain: string): string {
  const host = domain
    .trim()
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '');
  return /^[a-z0-9.-]{1,253}$/.test(host) ? host : '';
}
