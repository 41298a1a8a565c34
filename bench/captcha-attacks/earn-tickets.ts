import { setTimeout as pause } from 'node:timers/promises';
import { CaptchaChallenge } from '@tongtu/contract';
import type { GivenAnswer } from '@tongtu/server/testing/captcha';
import { forgetWrongCaptchas } from '@tongtu/server/testing/installation';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import { openDatabase } from '../../e2e/support/product/database.ts';
import { type Product, startProduct } from '../../e2e/support/product/product.ts';
import type { Script } from './scripts.ts';

/** The number of networks from which a script tried, and its results. */
export type Earned = { networks: number; images: number; answers: number; tickets: number };
type Outcome = 'ticket' | 'captcha.once-more' | 'captcha.wrong' | 'captcha.expired';
type Seen = Exclude<CaptchaChallenge, { type: 'click' }>;

const WORKERS = 16;
/** The trails of scripts take a little less: a trail that is longer than the challenge's age is refused. */
const TRAIL_MS = 800;
/** The server's limit. */
const MAX_SKIPPED = 2;

/** A product that trusts the address in each call's header. */
export async function startTarget(): Promise<Product> {
  return await startProduct({ args: ['--no-local-agent'], env: { TRUSTED_PROXIES: '127.0.0.1' } });
}

/**
 * Counts the tickets for a login that a script gets through the product's own calls. Each try uses another network,
 * from the `first` on, and ends when that network only gets the strong kind.
 */
export async function earnTickets(
  product: Product,
  script: Script,
  { networks, first }: { networks: number; first: number },
): Promise<Earned> {
  await using database = await openDatabase(product);
  const earned: Earned = { networks, images: 0, answers: 0, tickets: 0 };
  let tried = 0;
  let forgotten = Promise.resolve();
  // So many wrong answers in a minute would give everybody the strong kind, so the counts of wrong answers are deleted:
  // each script is measured as if it were the only one.
  async function forgetWrong(): Promise<void> {
    await forgetWrongCaptchas(database.db);
  }
  async function work(): Promise<void> {
    while (tried < networks) {
      const network = first + tried++;
      await (forgotten = forgotten.then(forgetWrong));
      await tryFrom(`10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`, { product, script, earned });
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work));
  return earned;
}

type Try = { product: Product; script: Script; earned: Earned };

/**
 * Opens as many images as the script wants and answers the one with the highest score first. Repeats after a right
 * answer.
 */
async function tryFrom(ip: string, { product, script, earned }: Try): Promise<void> {
  const browsers = Array.from({ length: script.atOnce }, () => new Browser(product, ip, earned));
  const opened = await Promise.all(browsers.map(async (browser) => ({ browser, shown: await browser.fetch() })));
  const looks = [];
  for (const { browser, shown } of opened) {
    if (shown) looks.push({ browser, shown, chance: (await script.look(shown)).chance });
  }
  for (const { browser, shown } of looks.toSorted((a, b) => b.chance - a.chance)) await goOn(browser, shown, script);
}

/** Answers until an answer is wrong or the strong kind comes. */
async function goOn(browser: Browser, from: Seen, script: Script): Promise<void> {
  let shown: Seen | undefined = from;
  let skipsLeft = MAX_SKIPPED;
  let isSecond = false;
  while (shown) {
    const { answer, chance } = await script.look(shown);
    // The second image would be replaced by one of the strong kind.
    if (!isSecond && skipsLeft > 0 && chance < script.leastChance(skipsLeft)) {
      skipsLeft--;
    } else {
      const outcome = await browser.answer(shown.key, answer);
      if (outcome === 'captcha.wrong' || outcome === 'captcha.expired') return;
      isSecond = outcome === 'captcha.once-more';
    }
    shown = await browser.fetch();
  }
}

/** A browser without cookies in that network. */
class Browser {
  readonly #client: ApiClient;
  readonly #headers: { 'x-forwarded-for': string };
  readonly #earned: Earned;

  constructor(product: Product, ip: string, earned: Earned) {
    this.#client = new ApiClient(product);
    this.#headers = { 'x-forwarded-for': ip };
    this.#earned = earned;
  }

  /** Undefined for an image of the strong kind. */
  async fetch(): Promise<Seen | undefined> {
    const { status, json, text } = await this.#client.call('GET', '/captcha/?purpose=login', undefined, this.#headers);
    if (status !== 200) throw new Error(`an image was answered ${status}: ${text}`);
    const shown = CaptchaChallenge.parse(json);
    if (shown.type === 'click') return undefined;
    this.#earned.images++;
    return shown;
  }

  async answer(key: string, answer: GivenAnswer): Promise<Outcome> {
    await pause(TRAIL_MS);
    this.#earned.answers++;
    const { status, json } = await this.#client.call('POST', '/captcha/', { key, answer }, this.#headers);
    if (status === 200) this.#earned.tickets++;
    else if (status !== 422) throw new Error(`an answer was answered ${status}`);
    return status === 200 ? 'ticket' : (json as { code: Outcome }).code; // an error that the contract names
  }
}
