/** Specification §9, in pixels. */
export const PICTURE = { width: 300, height: 220 } as const;
export const CLICK_THUMB = { width: 150, height: 40 } as const;
export const ROTATE_DIAMETER = 220;
