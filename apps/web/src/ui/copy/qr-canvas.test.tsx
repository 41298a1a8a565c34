import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QrCanvas } from './qr-canvas.tsx';

// happy-dom does not draw; e2e/accounts/wechat.ts tests what a phone can read.
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
  expect(firstPixel()).toEqual([0, 0, 0, 255]); // the finder pattern begins at the corner
  expect(screen.getByRole('img', { name: '二维码' }).tagName).toBe('CANVAS');
  expect(logged).not.toHaveBeenCalled();
});

test('the error correction level is L: 30 bytes fit into 25 modules per side', async () => {
  render(<QrCanvas text={'x'.repeat(30)} />);
  await expect.poll(() => drawn).toHaveBeenCalledOnce();
  const { data = [] } = drawn.mock.calls[0]?.[0] ?? {};
  let blackPixels = 0;
  while (data[blackPixels * 4] === 0) blackPixels++;
  // The finder pattern is 7 modules wide; a higher level needs more and therefore narrower modules.
  expect(blackPixels).toBe((7 * 200) / 25);
});

test('the caller can set width, margin and level', async () => {
  render(<QrCanvas text="https://example.com/" width={120} level="H" margin={4} />);
  await expect.poll(() => drawn).toHaveBeenCalledOnce();
  expect(drawn.mock.calls[0]?.[0]).toMatchObject({ width: 120, height: 120 });
  expect(firstPixel()).toEqual([255, 255, 255, 255]);
});

test('an empty text is logged with the library’s message', async () => {
  render(<QrCanvas text="" />);
  await expect.poll(() => loggedTexts()).toEqual(['No input text']);
  expect(drawn).not.toHaveBeenCalled();
});

test('a text that is too long is logged, and the previous code is removed', async () => {
  const { rerender } = render(<QrCanvas text="https://example.com/" />);
  await expect.poll(() => drawn).toHaveBeenCalledOnce();
  cleared.mockClear();
  rerender(<QrCanvas text={'x'.repeat(5000)} />);
  await expect.poll(() => loggedTexts()).toEqual(['The amount of data is too big to be stored in a QR Code']);
  expect(cleared).toHaveBeenCalledOnce();
});
