import { createEarlyFetch } from './start/early-fetch.ts';
import { startPage } from './start/start-page.tsx';

const page = window.tongtu;
const container = document.querySelector<HTMLElement>('#root');
if (!container || !page) throw new Error('index.html is not the built page');

void startPage({
  ...page,
  fetch: createEarlyFetch(window.fetch.bind(window), page, () => performance.now()),
  container,
  // oxlint-disable-next-line no-console -- the browser console is the only log here
  report: (error) => console.warn(error),
});
