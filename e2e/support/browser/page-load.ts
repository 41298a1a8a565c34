import type { Page } from 'playwright-core';

export type Network = { kilobitsPerSecond: number; latencyMs: number };

export type PageLoad = {
  usableAfterMs: number;
  /** Scripts that arrived before the page could be used, as transferred. */
  scriptKilobytes: number;
  /** Everything that arrived before the page could be used. */
  kilobytes: number;
  /** How many requests of a chain waited for each other. */
  serialStages: number;
  /** Cumulative layout shift until a moment after the page could be used. */
  layoutShift: number;
};

/** Of the page's own resource timing. */
type Request = { name: string; startTime: number; responseEnd: number; transferSize: number };
type Timing = { usableAt: number; layoutShift: number; requests: Request[] };

/** Time in which what arrives late may still move the page. */
const SETTLE_MS = 1500;

/** As text, because the benchmarks are compiled without the DOM's types. */
const watch = (usable: string) => `
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  const observer = new MutationObserver(() => {
    if (!document.querySelector(${JSON.stringify(usable)})) return;
    observer.disconnect();
    window.usableAt = performance.now();
  });
  observer.observe(document, { childList: true, subtree: true });`;
const readTiming = `({
  usableAt,
  layoutShift,
  requests: ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map((entry) => entry.toJSON()),
})`;

/**
 * Opens an address in a page that has loaded nothing yet, until an element of this CSS selector is there. What the page
 * asks for after that moment, such as the parts below a form, does not count.
 */
export async function measurePageLoad(page: Page, url: string, usable: string, network?: Network): Promise<PageLoad> {
  await page.addInitScript({ content: watch(usable) });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (network) {
    const downloadThroughput = (network.kilobitsPerSecond * 1000) / 8;
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latencyMs,
      downloadThroughput,
      uploadThroughput: downloadThroughput,
    });
  }
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(usable).first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  const { usableAt, layoutShift, requests }: Timing = await page.evaluate(readTiming);
  await session.detach();
  const before = requests.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= usableAt);
  const sum = (list: readonly Request[]) => list.reduce((total, { transferSize }) => total + transferSize, 0) / 1000;
  return {
    usableAfterMs: usableAt,
    scriptKilobytes: sum(before.filter(({ name }) => name.endsWith('.js'))),
    kilobytes: sum(before),
    serialStages: stagesOf(before),
    layoutShift,
  };
}

/** A request that begins after the end of another one may have waited for it. */
function stagesOf(requests: readonly Request[]): number {
  const stages = new Map<Request, number>();
  for (const request of requests.toSorted((one, other) => one.startTime - other.startTime)) {
    const before = [...stages].filter(([other]) => other.responseEnd <= request.startTime).map(([, stage]) => stage);
    stages.set(request, Math.max(0, ...before) + 1);
  }
  return Math.max(0, ...stages.values());
}
