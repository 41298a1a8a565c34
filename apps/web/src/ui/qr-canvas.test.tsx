import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QrCanvas } from './qr-canvas.tsx';

// The test's browser draws nothing; what a phone reads from the screen is looked at in e2e/wechat.e2e.ts.
const drawn = vi.fn<(image: ImageData) => void>();
const cleared = vi.fn<() => void>();
const logged = vi.spyOn(console, 'error');
beforeEach(() => {
  vi.clearAllMocks();
  logged.mockImplementation(() => undefined);
  const context = {
    createImageData: (width: number, height: number) => ({
      width,
      height,
      data: new Uint8ClampedArray(width * height * 4),
    }),
    putImageData: drawn,
    clearRect: cleared,
  };
  HTMLCanvasElement.prototype.getContext = (() => context) as unknown as HTMLCanvasElement['getContext']; // all that the library uses
});
afterEach(cleanup);

const loggedTexts = () => logged.mock.calls.map(([error]) => (error instanceof Error ? error.message : error));
const firstPixel = () => [...(drawn.mock.calls[0]?.[0].data.slice(0, 4) ?? [])];

test('a text is drawn 200 pixels wide and without a margin', async () => {
  render(<QrCanvas text="https://example.com/" />);
  await expect.poll(() => drawn).toHaveBeenCalledOnce();
  expect(drawn.mock.calls[0]?.[0]).toMatchObject({ width: 200, height: 200 });
  expect(firstPixel()).toEqual([0, 0, 0, 255]); // the finder begins at the very corner
  expect(screen.getByRole('img', { name: '二维码' }).tagName).toBe('CANVAS');
  expect(logged).not.toHaveBeenCalled();
});

test('the level is L: 30 bytes still fit into 25 modules a side', async () => {
  render(<QrCanvas text={'x'.repeat(30)} />);
  await expect.poll(() => drawn).toHaveBeenCalledOnce();
  const { data = [] } = drawn.mock.calls[0]?.[0] ?? {};
  let blackPixels = 0;
  while (data[blackPixels * 4] === 0) blackPixels++;
  // The finder is 7 modules wide; of a higher level they would be narrower, because more of them are needed.
  expect(blackPixels).toBe((7 * 200) / 25);
});

test('width, margin and level are the caller’s to choose', async () => {
  render(<QrCanvas text="https://example.com/" width={120} level="H" margin={4} />);
  await expect.poll(() => drawn).toHaveBeenCalledOnce();
  expect(drawn.mock.calls[0]?.[0]).toMatchObject({ width: 120, height: 120 });
  expect(firstPixel()).toEqual([255, 255, 255, 255]);
});

test('an empty text is logged with the library’s words', async () => {
  render(<QrCanvas text="" />);
  await expect.poll(() => loggedTexts()).toEqual(['No input text']);
  expect(drawn).not.toHaveBeenCalled();
});

test('a text that no code can hold is logged, and no older code stays on the canvas', async () => {
  const { rerender } = render(<QrCanvas text="https://example.com/" />);
  await expect.poll(() => drawn).toHaveBeenCalledOnce();
  cleared.mockClear();
  rerender(<QrCanvas text={'x'.repeat(5000)} />);
  await expect.poll(() => loggedTexts()).toEqual(['The amount of data is too big to be stored in a QR Code']);
  expect(cleared).toHaveBeenCalledOnce();
});
