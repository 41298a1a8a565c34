/**
 * Moves `aff` from the address before the hash to the query of the hash, where it stays through the login. Some messengers
 * and short links add parameters there.
 */
export function adoptAff(): void {
  const { pathname, search, hash } = window.location;
  const before = new URLSearchParams(search);
  const aff = before.get('aff');
  if (aff === null) return;
  before.delete('aff');
  const [path = '', ...rest] = hash.slice(1).split('?');
  const query = new URLSearchParams(rest.join('?'));
  if (aff !== '' && !query.has('aff')) query.set('aff', aff);
  const kept = before.toString() === '' ? '' : `?${before}`;
  const place = query.toString() === '' ? path : `${path === '' ? '/' : path}?${query}`;
  window.history.replaceState(window.history.state, '', `${pathname}${kept}#${place}`);
}
