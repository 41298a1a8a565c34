import './ui/theme/component-styles.css';
import './ui/theme/iphone.css';
import { createEarlyFetch } from './start/early-fetch.ts';
import { startApp } from './start-app.tsx';
import type { StartFailures } from './start/start-failures.ts';
import { setUpTimes } from './text/time.ts';

/** Shows the console in the page. `failures`: of calls that the page has just made. */
export function open(failures: StartFailures): void {
  const container = document.querySelector<HTMLElement>('#root');
  if (!container) throw new Error('index.html has no #root');
  const fetch = createEarlyFetch(window.fetch.bind(window), window.tongtu, () => performance.now());
  setUpTimes();
  // oxlint-disable-next-line no-console -- the browser console is the only log here
  const report = (error: unknown) => console.warn('announcements not loaded', error);
  void startApp({ fetch, container, report, failures });
}
