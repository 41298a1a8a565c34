const units = { KB: 2 ** 10, MB: 2 ** 20 } as const;
export type SpeedUnit = keyof typeof units;
export const speedUnits = Object.keys(units) as SpeedUnit[]; // the keys of the object

/** A limit as typed. An empty amount is none. */
export type TypedLimit = { amount: string; unit: SpeedUnit };

const longestAmount = 9;

/** Bytes in a second, 0 for none; undefined when it is no number above 0. */
export function limitOf({ amount, unit }: TypedLimit): number | undefined {
  const text = amount.trim();
  if (text === '') return 0;
  if (!/^\d+(\.\d+)?$/.test(text) || text.length > longestAmount) return undefined;
  const bytes = Math.round(Number(text) * units[unit]);
  return bytes > 0 ? bytes : undefined;
}

/** As somebody would have typed it. */
export function typedLimit(bytes: number): TypedLimit {
  if (bytes === 0) return { amount: '', unit: 'MB' };
  const unit = bytes >= units.MB && bytes % (units.MB / 4) === 0 ? 'MB' : 'KB';
  return { amount: String(Number((bytes / units[unit]).toFixed(2))), unit };
}
