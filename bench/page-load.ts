// Measures how the console loads, on a phone's screen with an empty cache:
// `node bench/page-load.ts http://localhost:8080 <user> <password> <URL of a mapping of this user that asks for login>`.
// For each screen and the mapping: when it can be used, what arrived until then, serial stages, layout shift.
import { chromium, type Browser, type Page } from 'playwright-core';
import { measurePageLoad, type Network, type PageLoad } from '../e2e/support/browser/page-load.ts';
import { screenSizes } from '../e2e/support/screens/screen-sizes.ts';
import { findHeadlessChromium, thisMachine } from '../tools/testing/system-requirements.ts';

const networks: Record<string, Network> = {
  '400 kbit/s, 20 ms': { kilobitsPerSecond: 400, latencyMs: 20 },
  '4 Mbit/s, 400 ms': { kilobitsPerSecond: 4000, latencyMs: 400 },
};

type Measured = { screen: string; network: string } & PageLoad;

const [origin = '', user = '', password = '', mapping = ''] = process.argv.slice(2);
const executablePath = findHeadlessChromium(thisMachine);
if (!URL.canParse(origin) || !URL.canParse(mapping) || executablePath === undefined)
  throw new Error('usage: node bench/page-load.ts <console URL> <user> <password> <mapping URL>; needs Chromium');
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
console.table((await measureAll(browser)).map(rounded));
await browser.close();

async function measureAll(browser: Browser): Promise<Measured[]> {
  const all: Measured[] = [];
  const open = async () => await (await browser.newContext(screenSizes.phone)).newPage();
  const measure = async (screen: string, page: Page, path: string, usable: string) => {
    for (const [network, conditions] of Object.entries(networks)) {
      // Each visit to the mapping is the first one.
      await page.context().clearCookies({ domain: new URL(mapping).hostname });
      all.push({
        screen,
        network,
        ...(await measurePageLoad(page, urlOf(path, all.length), usable, conditions)),
      });
    }
  };
  const accountField = 'input[name=account]';
  const check = (url: string) => `#/check?url=${encodeURIComponent(url)}`;
  await measure(
    'gate: no such mapping',
    await open(),
    check(origin.replace('://', '://no-such-mapping.')),
    'main button',
  );
  await measure('gate: login', await open(), check(mapping), accountField);
  await measure('login', await open(), '#/login', accountField);
  const page = await open();
  await page.goto(`${origin}/#/login`);
  await page.locator(accountField).fill(user);
  await page.locator('input[type=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/devices/);
  await measure('devices', page, '#/devices', 'article');
  await measure('mapping, logged in', page, mapping, 'h1');
  return all;
}

/** A place of the console, with a query so that another document is loaded, or a whole URL. */
function urlOf(place: string, visit: number): string {
  return place.startsWith('#') ? `${origin}/?${visit}${place}` : place;
}

function rounded(row: Measured): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toFixed(name === 'layoutShift' ? 3 : 0)) : value,
    ]),
  );
}
