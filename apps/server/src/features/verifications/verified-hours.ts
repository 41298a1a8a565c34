/** How long a verification counts (product.md §7). */
export const VERIFIED_HOURS = 48;
