import type { CDPSession, Locator, Page } from 'playwright-core';

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

type Request = { isScript: boolean; startedAt: number; endedAt: number; bytes: number };

/** Time in which what arrives late may still move the page. */
const SETTLE_MS = 1500;

/** As text, because the benchmarks are compiled without the DOM's types. */
const countShifts = `
  window.layoutShifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Opens an address in a page that has loaded nothing yet, until the element is there. */
export async function measurePageLoad(page: Page, url: string, usable: Locator, network?: Network): Promise<PageLoad> {
  await page.addInitScript({ content: countShifts });
  const session = await page.context().newCDPSession(page);
  const requests = await watchRequests(session);
  if (network) {
    const downloadThroughput = (network.kilobitsPerSecond * 1000) / 8;
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latencyMs,
      downloadThroughput,
      uploadThroughput: downloadThroughput,
    });
  }
  const startedAtMs = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await usable.first().waitFor();
  const usableAfterMs = performance.now() - startedAtMs;
  const done = [...requests.values()].filter(({ endedAt }) => endedAt > 0);
  await page.waitForTimeout(SETTLE_MS);
  const layoutShift = Number(await page.evaluate('window.layoutShifts'));
  await session.detach();
  const sum = (list: readonly Request[]) => list.reduce((total, { bytes }) => total + bytes, 0) / 1000;
  return {
    usableAfterMs,
    scriptKilobytes: sum(done.filter(({ isScript }) => isScript)),
    kilobytes: sum(done),
    serialStages: stagesOf(done),
    layoutShift,
  };
}

async function watchRequests(session: CDPSession): Promise<Map<string, Request>> {
  const requests = new Map<string, Request>();
  session.on('Network.requestWillBeSent', ({ requestId, timestamp, type }) => {
    requests.set(requestId, { isScript: type === 'Script', startedAt: timestamp, endedAt: 0, bytes: 0 });
  });
  session.on('Network.responseReceived', ({ requestId, type }) => {
    const request = requests.get(requestId);
    if (request && type === 'Script') request.isScript = true;
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, { endedAt: timestamp, bytes: encodedDataLength });
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return requests;
}

/** A request that begins after the end of another one may have waited for it. */
function stagesOf(requests: readonly Request[]): number {
  const stages = new Map<Request, number>();
  for (const request of requests.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const before = [...stages].filter(([other]) => other.endedAt <= request.startedAt).map(([, stage]) => stage);
    stages.set(request, Math.max(0, ...before) + 1);
  }
  return Math.max(0, ...stages.values());
}
