import { startPage } from './start/start-page.tsx';

// For Vite's own server. The build has main-start.ts in its place, which loads the console as a build of its own.
const container = document.querySelector<HTMLElement>('#root');
if (!container) throw new Error('index.html has no #root');

void startPage({
  stylesLoaded: Promise.resolve(),
  fetch: window.fetch.bind(window),
  container,
  // oxlint-disable-next-line no-console -- the browser console is the only log here
  report: (error) => console.warn(error),
  loadConsole: () => import('./main-console.ts'),
  loadCaptcha: () => import('./main-captcha.tsx'),
  preloadConsole: () => undefined,
});
