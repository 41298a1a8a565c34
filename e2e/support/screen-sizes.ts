/** The two screens that everything is tried on, as a browser's profile; nothing moves on either. */
export const screenSizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
} as const;

export type ScreenSize = keyof typeof screenSizes;
export const screenSizeNames = Object.keys(screenSizes) as ScreenSize[]; // the keys of the table
