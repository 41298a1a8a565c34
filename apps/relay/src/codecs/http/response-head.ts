import type { Field } from './fields.ts';
import type { BodyFraming } from './framing.ts';

export type ResponseHead = {
  version: 10 | 11;
  status: number;
  reason: string;
  fields: Field[];
  options: readonly string[];
  framing: BodyFraming;
  /** Whether the connection can carry another request. */
  keepsAlive: boolean;
  /** The service sent an improper head, which was read as browsers read it. */
  isRepaired: boolean;
};
