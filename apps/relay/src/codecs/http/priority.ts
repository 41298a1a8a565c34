import { fieldValue, listElements, type Field } from './fields.ts';

/** RFC 9218. */
export type Priority = {
  /** 0 is the most urgent, 7 the least. */
  urgency: number;
  /** Whether the client has use for a part of the answer, such as of an image. Undefined: it did not say. */
  isIncremental: boolean | undefined;
};

export const DEFAULT_PRIORITY: Priority = { urgency: 3, isIncremental: undefined };

const URGENCY = /^u=([0-7])(;|$)/;
const INCREMENTAL = /^i(=\?([01]))?(;|$)/;

/**
 * The `priority` field of a request, or with `base` that of its answer, in which a service changes what it names
 * (section 8). Members that are malformed or unknown count as absent.
 */
export function readPriority(fields: readonly Field[], base = DEFAULT_PRIORITY): Priority {
  const value = fieldValue(fields, 'priority');
  if (value === undefined) return base;
  let { urgency, isIncremental } = base;
  for (const member of listElements(value)) {
    const level = URGENCY.exec(member)?.[1];
    if (level !== undefined) urgency = Number(level);
    const incremental = INCREMENTAL.exec(member);
    if (incremental !== null) isIncremental = incremental[2] !== '0';
  }
  // A browser that leaves `i` out means it: the default of the field's absence is for those that know no priorities.
  return { urgency, isIncremental: isIncremental ?? false };
}
