import type { Page } from 'playwright-core';
import { waitFor } from '../wait-for.ts';

const DRAWN_WITHIN_MS = 20_000;

type Point = { x: number; y: number };

/** The desktop of a VNC or RDP app, as a person sees it: the pixels of its canvas. */
export class DesktopPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get box() {
    return this.page.getByRole('application', { name: '远程桌面' });
  }

  /** A short text that is different for other pixels, and how many colours there are. */
  async look(): Promise<{ colours: number; hash: string }> {
    return await this.box.evaluate(async (box) => {
      const canvas = box.querySelector('canvas');
      if (!canvas || canvas.width === 0) return { colours: 0, hash: '' };
      const context = canvas.getContext('2d');
      if (!context) return { colours: 0, hash: '' };
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const pixels = new Uint32Array(data.buffer);
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
      return { colours: new Set(pixels).size, hash: hash.join(' ') };
    });
  }

  /** Waits until something is drawn. */
  async waitUntilDrawn(): Promise<string> {
    const { hash } = await waitFor('the desktop is drawn', DRAWN_WITHIN_MS, async () => {
      const seen = await this.look();
      return seen.colours > 1 && seen;
    });
    return hash;
  }

  async waitForChange(before: string): Promise<string> {
    return await waitFor('the pixels change', DRAWN_WITHIN_MS, async () => {
      const { hash } = await this.look();
      return hash !== before && hash;
    });
  }

  /** At a point of the image on the page. */
  async click(x: number, y: number, options: { clickCount?: number } = {}): Promise<void> {
    await this.box.locator('canvas').click({ position: { x, y }, ...options });
  }

  /** Of a pixel of the desktop: red, green and blue. */
  async colourAt({ x, y }: Point): Promise<string> {
    return await this.box.locator('canvas').evaluate(
      (element, at) => {
        const canvas = element as HTMLCanvasElement; // by its name
        return (canvas.getContext('2d')?.getImageData(at.x, at.y, 1, 1).data ?? []).slice(0, 3).join(' ');
      },
      { x, y },
    );
  }

  /** The pixels of a part of the desktop, as a short text. */
  async lookOf({ x, y, width, height }: Point & { width: number; height: number }): Promise<string> {
    return await this.box.locator('canvas').evaluate(
      async (element, part) => {
        const canvas = element as HTMLCanvasElement; // by its name
        const pixels = canvas.getContext('2d')?.getImageData(part.x, part.y, part.width, part.height).data;
        if (pixels === undefined) return '';
        for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255;
        return new Uint8Array(await crypto.subtle.digest('SHA-256', pixels)).join(' ');
      },
      { x, y, width, height },
    );
  }

  /** Clicks on a pixel of the desktop, wherever the page shows it. */
  async clickPixel(pixel: Point): Promise<void> {
    const { x, y } = await this.#positionOf(pixel);
    await this.click(x, y);
  }

  /** Taps on it with a finger. */
  async tapPixel(pixel: Point): Promise<void> {
    const { x, y } = await this.#positionOf(pixel);
    const box = await this.box.locator('canvas').boundingBox();
    if (box === null) throw new Error('the desktop is not shown');
    const session = await this.page.context().newCDPSession(this.page);
    const touchPoints = [{ x: box.x + x, y: box.y + y }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await session.detach();
  }

  /** On the canvas, which may be scaled. */
  async #positionOf({ x, y }: Point): Promise<Point> {
    const scale = await this.box.locator('canvas').evaluate((element) => {
      const canvas = element as HTMLCanvasElement; // by its name
      return canvas.clientWidth / canvas.width;
    });
    return { x: x * scale, y: y * scale };
  }

  /** As an input method does: pinyin first, then the characters. */
  async compose(pinyin: string, characters: string): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const [selectionStart, selectionEnd] = [pinyin.length, pinyin.length];
    await session.send('Input.imeSetComposition', { text: pinyin, selectionStart, selectionEnd });
    await session.send('Input.insertText', { text: characters });
  }
}
