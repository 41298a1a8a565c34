const YUAN = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/;

/** 2600 → `26.00`. Both ways use integers only: 0.1 + 0.2 is not 0.3 in floating point. */
export function yuanText(fen: number): string {
  if (!Number.isSafeInteger(fen)) throw new Error(`an amount must be a whole number of fen: ${fen}`);
  const digits = String(Math.abs(fen)).padStart(3, '0');
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `26.00` → 2600. Undefined for anything but a plain decimal with at most two places. */
export function fenOf(yuan: string): number | undefined {
  const parts = YUAN.exec(yuan);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = ''] = parts;
  const fen = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' && fen !== 0 ? -fen : fen;
}
