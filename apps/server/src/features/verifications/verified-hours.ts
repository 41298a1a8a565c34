/** How long a verification counts, unless its owner ends or extends it. */
export const VERIFIED_HOURS = 48;
