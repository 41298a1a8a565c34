// Measures how the console loads: `node bench/page-load.ts http://localhost:8080 <user> <password>`, on a phone's screen
// with an empty cache. For each screen: when it can be used, what arrived until then, serial stages, layout shift.
import { chromium, type Browser, type Page } from 'playwright-core';
import { measurePageLoad, type Network, type PageLoad } from '../e2e/support/page-load.ts';
import { screenSizes } from '../e2e/support/screen-sizes.ts';
import { findHeadlessChromium, thisMachine } from '../tools/testing/system-requirements.ts';

const networks: Record<string, Network> = {
  '400 kbit/s, 20 ms': { kilobitsPerSecond: 400, latencyMs: 20 },
  '4 Mbit/s, 400 ms': { kilobitsPerSecond: 4000, latencyMs: 400 },
};

type Measured = { screen: string; network: string } & PageLoad;

const [origin = '', account = '', password = ''] = process.argv.slice(2);
const executablePath = findHeadlessChromium(thisMachine);
if (!URL.canParse(origin) || executablePath === undefined)
  throw new Error('usage: node bench/page-load.ts <console URL> <user> <password>; needs Chromium');
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
console.table((await measureAll(browser)).map(rounded));
await browser.close();

async function measureAll(browser: Browser): Promise<Measured[]> {
  const all: Measured[] = [];
  const open = async () => await (await browser.newContext(screenSizes.phone)).newPage();
  const measure = async (screen: string, page: Page, path: string, usable: string) => {
    for (const [network, conditions] of Object.entries(networks))
      all.push({
        screen,
        network,
        ...(await measurePageLoad(page, `${origin}/?${all.length}${path}`, usable, conditions)),
      });
  };
  const check = `#/check?url=${encodeURIComponent(origin.replace('://', '://no-such-mapping.'))}`;
  await measure('gate', await open(), check, 'main button');
  await measure('login', await open(), '#/login', 'form');
  const page = await open();
  await page.goto(`${origin}/#/login`);
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.locator('input[type=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/devices/);
  await measure('devices', page, '#/devices', 'article');
  return all;
}

function rounded(row: Measured): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toFixed(name === 'layoutShift' ? 3 : 0)) : value,
    ]),
  );
}
