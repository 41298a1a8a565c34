/** Without what is mistaken for something else when it is read out or copied by hand: 0 and o, 1 and l. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const passwordLength = 12;

/** A password of 60 random bits, easy to read out. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(passwordLength));
  // 32 letters divide the 256 values of a byte evenly, so none is likelier than another.
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}
