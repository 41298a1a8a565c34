/** The two screen sizes of all tests, as browser profiles with reduced motion. */
export const screenSizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
} as const;

export type ScreenSize = keyof typeof screenSizes;
export const screenSizeNames = Object.keys(screenSizes) as ScreenSize[]; // the keys of the table
