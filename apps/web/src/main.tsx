import { startApp } from './start-app.tsx';
import { setUpTimes } from './text/time.ts';

function report(error: unknown): void {
  // oxlint-disable-next-line no-console -- the browser console is the only log here
  console.warn('announcements not loaded', error);
}

const container = document.querySelector<HTMLElement>('#root');
if (!container) throw new Error('index.html has no #root');
setUpTimes();
void startApp({ fetch: window.fetch.bind(window), container, report });
