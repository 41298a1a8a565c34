import { createEarlyFetch } from './start/early-fetch.ts';
import { startPage } from './start/start-page.tsx';

const page = window.tongtu;
const container = document.querySelector<HTMLElement>('#root');
if (!container || !page) throw new Error('index.html is not the built page');
const start = () =>
  void startPage({
    ...page,
    fetch: createEarlyFetch(window.fetch.bind(window), page, () => performance.now()),
    container,
    // oxlint-disable-next-line no-console -- the browser console is the only log here
    report: (error) => console.warn(error),
  });

/** A browser that has these two functions has the others of older-browsers.ts as well. */
const isOlder = !('any' in AbortSignal && 'canParse' in URL);
if (isOlder) void import('./start/older-browsers.ts').then(start);
else start();
