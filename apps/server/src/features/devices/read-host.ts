/** The host of what a person or a page calls a domain: `NAS.example.com.:8080` is `nas.example.com`. */
export function readHost(domain: string): string {
  return domain
    .trim()
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '');
}
