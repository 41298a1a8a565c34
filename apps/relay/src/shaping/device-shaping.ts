import { ShapedLine, type ShapingClock } from './shaped-line.ts';

/** The bandwidth of one device, each direction by itself, shared by all visitors of all its mappings. */
export class DeviceShaping {
  /** From the LAN service to visitors. */
  readonly download: ShapedLine;
  /** From visitors to the LAN service. */
  readonly upload: ShapedLine;
  #bitsPerSecond: number | null = null;

  constructor(clock: ShapingClock, onBug: (error: unknown) => void) {
    this.download = new ShapedLine(clock, onBug);
    this.upload = new ShapedLine(clock, onBug);
  }

  /** Null: no limit. */
  setRate(bitsPerSecond: number | null): void {
    if (bitsPerSecond === this.#bitsPerSecond) return;
    this.#bitsPerSecond = bitsPerSecond;
    this.download.setRate(bitsPerSecond);
    this.upload.setRate(bitsPerSecond);
  }
}
