/** One separator throughout (`aa:bb:…`, `aa-bb-…`, `aa bb …`) or none, or Cisco's `aabb.ccdd.eeff`. */
const spelling = /^[0-9a-f]{2}([:\- ]?)(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/;

/** Of an address of a group; broadcast is one. */
const GROUP_BIT = 1;

/**
 * A MAC address in any usual spelling, as `aa:bb:cc:dd:ee:ff`. Undefined for other texts, and for addresses that no
 * network card has: those of groups, and zero.
 */
export function readMacAddress(text: string): string | undefined {
  const typed = text.normalize('NFKC').trim().toLowerCase();
  if (!spelling.test(typed)) return undefined;
  const octets = typed.match(/[0-9a-f]{2}/g) ?? [];
  const isGroup = (Number.parseInt(octets[0] ?? '', 16) & GROUP_BIT) === GROUP_BIT;
  return isGroup || octets.every((octet) => octet === '00') ? undefined : octets.join(':');
}
