import { z } from 'zod';

/** A variable in plain digits. `1e3` and `0x10` are refused as probable mistakes. */
export function wholeNumber({ from, to, rule }: { from: number; to: number; rule: string }) {
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= from && value <= to, rule);
}
