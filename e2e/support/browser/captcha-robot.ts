import { setTimeout as pause } from 'node:timers/promises';
import { CaptchaChallenge, type CaptchaType } from '@tongtu/contract';
import { type Db, findCaptchaAnswer, preferCaptcha } from '@tongtu/server/testing/installation';
import type { CDPSession, Locator, Page, Response } from 'playwright-core';
import { waitFor } from '../wait-for.ts';

type Point = { x: number; y: number };
/** The stored answer. No call reveals it, so it is read from the database. */
type Expected = { points?: Point[]; at?: Point; angle?: number };

const SHOWN_WITHIN_MS = 30_000;
const IMAGE_WIDTH = 300;
const MAX_DRAG = 240;
const STEPS = 12;
/** The server refuses a faster answer as automated. */
const STEP_MS = 30;
const CLICK_MS = 90;

/** Drags by mouse or by touch. */
type Hand = {
  down: (at: Point) => Promise<void>;
  move: (at: Point) => Promise<void>;
  up: () => Promise<void>;
};

function mouseOf(page: Page): Hand {
  return {
    async down({ x, y }) {
      await page.mouse.move(x, y);
      await page.mouse.down();
    },
    move: async ({ x, y }) => await page.mouse.move(x, y),
    up: async () => await page.mouse.up(),
  };
}

function fingerOf(session: CDPSession): Hand {
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    void (await session.send('Input.dispatchTouchEvent', { type, touchPoints }));
  return {
    down: (at) => touch('touchStart', [at]),
    move: (at) => touch('touchMove', [at]),
    up: () => touch('touchEnd', []),
  };
}

/** Answers the captchas of a page like a person: by mouse, touch or keyboard. */
export class CaptchaRobot {
  readonly #page: Page;
  readonly #db: Db;
  readonly #challenges = new Map<string, CaptchaChallenge>();

  constructor(page: Page, db: Db) {
    this.#page = page;
    this.#db = db;
    page.on('response', (response) => void this.#note(response).catch(() => undefined)); // a page that closes has no bodies
  }

  get dialog(): Locator {
    return this.#page.getByRole('dialog', { name: '人机验证' });
  }

  /** Requests one kind, where the server allows a choice. */
  async prefer(type: CaptchaType): Promise<void> {
    await preferCaptcha(this.#db, type);
  }

  /** The current challenge. */
  async shown(): Promise<CaptchaChallenge> {
    return await waitFor('a captcha is shown', SHOWN_WITHIN_MS, async () => {
      const sources = await this.dialog
        .locator('img')
        .evaluateAll((images) => images.map((image) => image.getAttribute('src')));
      return sources.map((source) => this.#challenges.get(source ?? '')).find((challenge) => challenge !== undefined);
    });
  }

  /** Answers the challenge, correctly or `off` pixels or degrees beside. Returns its kind. */
  async answer({
    off = 0,
    by = 'mouse',
  }: { off?: number; by?: 'mouse' | 'finger' | 'keyboard' } = {}): Promise<CaptchaType> {
    const challenge = await this.shown();
    const expected = await this.#expected(challenge.key);
    if (by === 'keyboard') await this.#waitForFocus();
    if (challenge.type === 'click') await this.#click(expected.points ?? [], off, by);
    else if (by === 'keyboard') await this.#step(challenge, expected, off);
    else await this.#drag(challenge, expected, { off, hand: await this.#hand(by) });
    return challenge.type;
  }

  async solve(options: { by?: 'mouse' | 'finger' | 'keyboard' } = {}): Promise<CaptchaType> {
    const type = await this.answer(options);
    if (type !== 'click') {
      await this.dialog.getByText('请再完成一次').waitFor();
      await this.answer(options);
    }
    await this.dialog.waitFor({ state: 'hidden' });
    return type;
  }

  /** A dialog takes the focus when it has opened. Earlier keys would go elsewhere. */
  async #waitForFocus(): Promise<void> {
    await waitFor('the dialog has the focus', SHOWN_WITHIN_MS, () =>
      this.dialog.evaluate((dialog) => dialog.contains(document.activeElement)),
    );
  }

  async #note(response: Response): Promise<void> {
    const isChallenge = new URL(response.url()).pathname === '/captcha/' && response.request().method() === 'GET';
    if (!isChallenge || !response.ok()) return;
    const challenge = CaptchaChallenge.parse(await response.json());
    this.#challenges.set(challenge.image, challenge);
  }

  async #expected(key: string): Promise<Expected> {
    return await findCaptchaAnswer(this.#db, key);
  }

  async #hand(by: 'mouse' | 'finger'): Promise<Hand> {
    return by === 'mouse' ? mouseOf(this.#page) : fingerOf(await this.#page.context().newCDPSession(this.#page));
  }

  async #click(points: readonly Point[], off: number, by: 'mouse' | 'finger' | 'keyboard'): Promise<void> {
    const image = this.dialog.getByRole('application');
    if (by === 'keyboard') return await this.#clickByKeys(image, points);
    const { scale, left, top } = await layoutOf(image);
    for (const { x, y } of points) {
      const at = { x: left + x * scale, y: top + (y + off) * scale };
      if (by === 'mouse') await this.#page.mouse.click(at.x, at.y);
      else await this.#page.touchscreen.tap(at.x, at.y);
      await pause(CLICK_MS);
    }
    await this.dialog.getByRole('button', { name: '确认' }).click();
  }

  async #clickByKeys(image: Locator, points: readonly Point[]): Promise<void> {
    await image.focus();
    let at: Point = { x: 150, y: 110 };
    for (const point of points) {
      await pressTowards(image, point.x - at.x, ['ArrowLeft', 'ArrowRight']);
      await pressTowards(image, point.y - at.y, ['ArrowUp', 'ArrowDown']);
      await image.press('Space');
      at = point;
    }
    await image.press('Enter');
  }

  /** Of the handle, in pixels of the image. */
  #way(challenge: Exclude<CaptchaChallenge, { type: 'click' }>, expected: Expected, off: number): Point {
    if (challenge.type === 'rotate') {
      return { x: ((expected.angle ?? 0) + off - challenge.angle) * (MAX_DRAG / (360 - challenge.angle)), y: 0 };
    }
    const to = expected.at ?? { x: 0, y: 0 };
    const x = to.x + off - challenge.thumbX;
    if (challenge.type === 'drag') return { x, y: to.y - challenge.thumbY };
    return { x: x * (MAX_DRAG / (IMAGE_WIDTH - challenge.thumbWidth - challenge.thumbX)), y: 0 };
  }

  #handle(type: CaptchaType): Locator {
    return type === 'drag'
      ? this.dialog.getByRole('button', { name: /可拖拽的贴图/ })
      : this.dialog.getByRole('slider');
  }

  async #drag(
    challenge: Exclude<CaptchaChallenge, { type: 'click' }>,
    expected: Expected,
    { off, hand }: { off: number; hand: Hand },
  ): Promise<void> {
    const way = this.#way(challenge, expected, off);
    const handle = this.#handle(challenge.type);
    const { left, top, width, height } = await layoutOf(handle);
    const scale = (await layoutOf(this.dialog.locator('img').last().locator('xpath=ancestor::div[1]'))).scale;
    const start = { x: left + width / 2, y: top + height / 2 };
    await hand.down(start);
    for (let step = 1; step <= STEPS; step++) {
      // Fast at first and slower at the end, with small deviations like a hand.
      const share = 1 - (1 - step / STEPS) ** 2;
      const tremble = step === STEPS ? 0 : (step % 3) - 1;
      await hand.move({ x: start.x + way.x * scale * share, y: start.y + way.y * scale * share + tremble });
      await pause(STEP_MS);
    }
    await hand.up();
  }

  async #step(challenge: Exclude<CaptchaChallenge, { type: 'click' }>, expected: Expected, off: number): Promise<void> {
    const handle = this.#handle(challenge.type);
    await handle.focus();
    if (challenge.type === 'rotate') {
      await pressTowards(handle, (expected.angle ?? 0) + off - challenge.angle, ['ArrowLeft', 'ArrowRight']);
    } else {
      const to = expected.at ?? { x: 0, y: 0 };
      await pressTowards(handle, to.x + off - challenge.thumbX, ['ArrowLeft', 'ArrowRight']);
      if (challenge.type === 'drag') await pressTowards(handle, to.y - challenge.thumbY, ['ArrowUp', 'ArrowDown']);
    }
    await handle.press('Enter');
  }
}

const LARGE_STEP = 10;
const KEY_MS = 15;
/** The pause between two presses. The server refuses shorter or equal ones as automated. */
const KEY_PAUSES_MS = [25, 60, 40];

/** Moves by ten per press with Shift, then by one per press. */
async function pressTowards(target: Locator, distance: number, [less, more]: readonly [string, string]): Promise<void> {
  const key = distance < 0 ? less : more;
  const whole = Math.round(Math.abs(distance));
  for (let done = 0; done < whole;) {
    const isLarge = whole - done >= LARGE_STEP;
    await target.press(isLarge ? `Shift+${key}` : key, { delay: KEY_MS });
    await pause(KEY_PAUSES_MS[done % KEY_PAUSES_MS.length]);
    done += isLarge ? LARGE_STEP : 1;
  }
}

async function layoutOf(
  element: Locator,
): Promise<{ left: number; top: number; width: number; height: number; scale: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error('not on the screen');
  return { left: box.x, top: box.y, width: box.width, height: box.height, scale: box.width / IMAGE_WIDTH };
}
