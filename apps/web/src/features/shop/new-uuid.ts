const versionAt = 6;
const variantAt = 8;

/** A random UUID (RFC 9562, version 4). `crypto.randomUUID` does not exist on pages that were loaded over plain HTTP. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[versionAt] = ((bytes[versionAt] ?? 0) & 0x0f) | 0x40;
  bytes[variantAt] = ((bytes[variantAt] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
